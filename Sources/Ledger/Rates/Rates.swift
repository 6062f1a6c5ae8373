package import CivilTime
package import Foundation
import Postgres

/// Sets and reads rates of foreign currencies.
package struct Rates: Sendable {
    let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The result of setting a rate.
    package enum Setting: Sendable, Equatable {
        /// It is published.
        case published(Rate)
        /// Another person has to approve it.
        case waiting(RateProposal)
    }

    /// Sets the rate of a day: it is published as the day's next version, or waits for another person.
    ///
    /// It waits if it is the first of its currency, or more than 5 % away from the last one, as the function
    /// `rate_needs_second_person` says. A repeat of the newest version or of what waits changes nothing. When another rate
    /// waits for the day, it is withdrawn.
    package func set(_ draft: RateDraft, by person: String) async throws(LedgerError) -> Setting {
        try await taking(turns: draft.currency) { connection in
            let newest = try connection.run(Rate.newest(of: draft.currency, for: draft.day))
            if let newest, draft.isSame(as: newest.quotation, from: newest.source) { return .published(newest) }
            let last = try connection.run(RateProposal.last(of: draft.currency, for: draft.day))
            if let last, last.status == .waiting {
                if draft.isSame(as: last.quotation, from: last.source) { return .waiting(last) }
                _ = try connection.run(RateProposal.withdraw(last.id, by: person))
            }
            if try connection.run(Rate.needsSecondPerson(draft)) {
                return .waiting(try connection.run(RateProposal.insert(draft, by: person)))
            }
            return .published(try connection.run(Rate.insert(draft, by: person)))
        }
    }

    /// The result of approving a rate.
    package enum Approved: Sendable, Equatable {
        case published(Rate)
        /// The person proposed it.
        case ownProposal
        /// Another rate waits for the day.
        case other
        /// None waits for the day.
        case notFound
    }

    /// Publishes the rate that another person proposed for a day; a repeat changes nothing.
    ///
    /// - Parameters:
    ///   - quotation: the rate as the approver has it from its source: only an equal one is approved.
    ///   - person: the caller.
    package func approve(
        _ quotation: Quotation, of currency: ForeignCurrency, for day: CivilDate, by person: String
    ) async throws(LedgerError) -> Approved {
        try await taking(turns: currency) { connection in
            guard let last = try connection.run(RateProposal.last(of: currency, for: day)), last.status != .withdrawn
            else { return .notFound }
            guard last.quotation.isWorth(quotation) else { return last.status == .waiting ? .other : .notFound }
            if let version = last.version {
                let published = try connection.run(Rate.find(version: version, of: currency, for: day))
                return published.map(Approved.published) ?? .notFound
            }
            if Identity(person).isSamePerson(as: Identity(last.proposedBy)) { return .ownProposal }
            _ = try connection.run(RateProposal.approve(last.id, by: person))
            return .published(try connection.run(Rate.insert(approved: last.id)))
        }
    }

    /// Withdraws the rate that waits for a day; a repeat changes nothing.
    ///
    /// - Returns: nil when none waits.
    package func withdraw(
        of currency: ForeignCurrency, for day: CivilDate, by person: String
    ) async throws(LedgerError) -> RateProposal? {
        try await taking(turns: currency) { connection in
            guard let last = try connection.run(RateProposal.last(of: currency, for: day)) else { return nil }
            switch last.status {
            case .waiting: return try connection.run(RateProposal.withdraw(last.id, by: person))
            case .withdrawn: return last
            case .published: return nil
            }
        }
    }

    /// Those who set or decide about rates of a currency take turns.
    private func taking<Output: Sendable>(
        turns currency: ForeignCurrency, _ change: @Sendable (isolated PostgresConnection) throws -> Output
    ) async throws(LedgerError) -> Output {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    _ = try connection.run(Rate.lock(currency))
                    return try change(connection)
                }
            }
        }
    }
}

// MARK: - Reading

extension Rates {
    /// The rate that holds at a moment: of those published by then, the newest version of the last day; nil: none.
    ///
    /// A day without a rate, such as a Sunday, has that of the last day before it. A later version does not change what held.
    ///
    /// - Parameter zone: of days.
    package func find(
        _ currency: ForeignCurrency, at moment: Date, in zone: TimeZone
    ) async throws(LedgerError) -> Rate? {
        let today = CivilDate(of: moment, in: zone)
        return try await reading { try await pools.lookups.run(Rate.holding(of: currency, at: moment, on: today)) }
    }

    /// The rate of a payment: the last one that was published when it was paid; of a payment from before the first of them,
    /// that of its day, or of the last day before, whenever it was published; nil: none.
    ///
    /// - Parameter zone: of days.
    package func find(
        ofPaymentIn currency: ForeignCurrency, paidAt: Date, in zone: TimeZone
    ) async throws(LedgerError) -> Rate? {
        let day = CivilDate(of: paidAt, in: zone)
        return try await reading { try await pools.lookups.run(Rate.ofPayment(in: currency, paidAt: paidAt, on: day)) }
    }

    /// Published rates with all their versions, the last published first.
    package func list(
        _ filter: RateFilter = RateFilter(), after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Rate, After<Int64>> {
        try await reading {
            Page(try await pools.reads.run(Rate.list(filter, before: cursor?.id, limit: limit)), limit: limit)
        }
    }

    /// Rates that wait for another person, the last proposed first.
    package func listWaiting(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<RateProposal, After<Int64>> {
        try await reading {
            Page(try await pools.reads.run(RateProposal.waiting(before: cursor?.id, limit: limit)), limit: limit)
        }
    }
}

/// Which rates a list has.
package struct RateFilter: Sendable {
    /// nil: all.
    package var currency: ForeignCurrency?
    /// The first day.
    package var from: CivilDate?
    /// The day after the last one.
    package var to: CivilDate?

    package init(currency: ForeignCurrency? = nil, from: CivilDate? = nil, to: CivilDate? = nil) {
        self.currency = currency
        self.from = from
        self.to = to
    }
}
