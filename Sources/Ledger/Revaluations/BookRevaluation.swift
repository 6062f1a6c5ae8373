package import CivilTime
import Foundation
import Postgres

/// Brings what is open in a foreign currency to its worth at the last rate of a month, and back on the first of the next one.
///
/// What is open is measured before, by adding up postings, and no writer waits for that. Under the locks, while no rate of the currency
/// can be published, what was booked since is added, and the worth computed.
/// ```
/// Month's end: Dr fx:clearing:USD:KRW  / Cr fx:unrealised:USD
/// The first:   Dr fx:unrealised:USD    / Cr fx:clearing:USD:KRW
/// ```
/// If it is worth less than its carrying amount, both have the opposite sides. If it is worth the same, nothing is posted. They
/// belong to no user, so they are in the first stripe.
package struct BookRevaluation: KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package let currency: ForeignCurrency
    package let month: CivilMonth
    /// The time zone of months.
    let zone: TimeZone
    /// What was measured (`revaluation_basis`); nil: the month was not to be revalued then.
    ///
    /// It follows from the books, so it is not part of the ``fingerprint``.
    let measuredFrom: Int64?

    /// The caller, because the act is of no user.
    package var user: UserID { idempotencyKey.caller }
}

/// The result of a revaluation.
package struct RevaluationBooked: Sendable, Equatable, Codable {
    /// That of the month and currency, also if it was booked before.
    package let revaluationID: Int64
    /// The entry at the end of the month; nil: nothing was to be posted, or it was posted before.
    package let journalEntryID: Int64?
}

/// The currency and month of a revaluation: what it comes from is measured, or one that was booked is read.
struct RevaluationTouch: Sendable, Hashable {
    let currency: ForeignCurrency
    let month: CivilMonth
    let zone: TimeZone
    /// The measurement that is continued under the locks.
    var measuredFrom: Int64?

    /// The first moment after the month.
    var endsAt: Date { month.next.start(in: zone) }

    /// The accounts in the first stripe that it posts to.
    var accounts: [AccountCode] {
        [.foreign(.carrying(currency), .first), .foreign(.unrealised(currency), .first)]
    }
}

// MARK: - Planning

extension BookRevaluation {
    package var touches: Touches { Touches(revaluation: touch) }

    var touch: RevaluationTouch {
        RevaluationTouch(currency: currency, month: month, zone: zone, measuredFrom: measuredFrom)
    }

    /// Nothing else of its batch is among the entries when what is open is measured.
    package var isAlone: Bool { true }

    package func plan(on books: inout Plan) -> Answer<RevaluationBooked> { books.bookRevaluation(self) }
}

extension Plan {
    fileprivate mutating func bookRevaluation(_ act: BookRevaluation) -> Answer<RevaluationBooked> {
        let endsAt = act.touch.endsAt
        guard endsAt <= recordedAt else { return .refused(.monthNotOver) }
        if let booked = revaluations.find(act.currency, in: act.month) {
            return .unchanged(RevaluationBooked(revaluationID: booked.id, journalEntryID: nil))
        }
        if let openFrom, openFrom >= endsAt { return .refused(.monthClosed(until: openFrom)) }
        // The month ended after it was measured, or after nothing could be.
        guard let basis = revaluations.basis(of: act.touch), endsAt <= basis.measuredAt else {
            return .refused(.monthNotOver)
        }
        let id = newID()
        let amount = basis.amount
        let entry = amount == 0 ? nil : post(amount, of: act, id, effectiveAt: endsAt.previousMicrosecond)
        let reversal = amount == 0 ? nil : post(-amount, of: act, id, effectiveAt: endsAt)
        revaluations.insert(
            Revaluation(
                id: id, currency: act.currency, month: act.month, basis: basis, journalEntryID: entry,
                reversalEntryID: reversal, revaluedBy: act.idempotencyKey.caller.rawValue, recordedAt: recordedAt))
        return .done(RevaluationBooked(revaluationID: id, journalEntryID: entry))
    }

    private mutating func post(
        _ amount: Int64, of act: BookRevaluation, _ id: Int64, effectiveAt: Date
    ) -> Int64 {
        let side: Side = amount > 0 ? .debit : .credit
        return post(
            .adjustment, reference: "revaluation:\(id)", reason: "\(act.currency.code) of \(act.month)",
            effectiveAt: effectiveAt, in: .first,
            [
                line(of: .carrying(act.currency), in: .first, side, abs(amount)),
                line(of: .unrealised(act.currency), in: .first, side.opposite, abs(amount)),
            ])
    }
}

/// A plan's revaluations.
struct PlannedRevaluations: Sendable {
    private var known: [Revaluation]
    private let bases: [RevaluationTouch: RevaluationBasis]
    private var new: [Revaluation] = []

    init(_ booked: [Revaluation], _ bases: [RevaluationTouch: RevaluationBasis]) {
        known = booked
        self.bases = bases
    }

    func find(_ currency: ForeignCurrency, in month: CivilMonth) -> Revaluation? {
        known.first { $0.currency == currency && $0.month == month }
    }

    /// What was found under the locks; nil: it is booked already, or was not measured before.
    func basis(of touch: RevaluationTouch) -> RevaluationBasis? { bases[touch] }

    /// Adds a revaluation.
    ///
    /// Later acts of the batch see it.
    mutating func insert(_ revaluation: Revaluation) {
        known.append(revaluation)
        new.append(revaluation)
    }

    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        touches.revaluations.flatMap { touch -> [PostgresQuery<SnapshotPart>] in
            let booked: PostgresQuery<SnapshotPart> = Revaluation.find(touch.currency, in: touch.month)
                .into { $0.revaluations += $1.map { [$0] } ?? [] }
            guard touch.measuredFrom != nil else { return [booked] }
            return [
                booked, Rate.hold(touch.currency).into { _, _ in },
                RevaluationBasis.continued(touch).into { $0.revaluationBases[touch] = $1 },
            ]
        }
    }

    /// To be written after the journal's entries.
    var facts: [PostgresQuery<Int>] { new.map(Revaluation.insert) }
}

// MARK: - How it is recorded under its key

extension BookRevaluation {
    package static let name = "revaluation"
    package static let successName = "revaluationBooked"

    package var fingerprint: Fingerprint { Fingerprint(Self.name, currency.code, month.description) }

    package static func journalEntryID(of success: RevaluationBooked) -> Int64? { success.journalEntryID }
}
