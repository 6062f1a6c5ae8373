package import Foundation
import Postgres

/// Stores and reads findings.
package struct Findings: Sendable {
    let pools: Pools
    let figures: Figures

    init(_ pools: Pools, figures: Figures) {
        self.pools = pools
        self.figures = figures
    }

    /// Notes a problem with a payment.
    ///
    /// Earlier problems of the payment are kept.
    ///
    /// - Parameters:
    ///   - cancelled: what the gateway has cancelled of the payment, if the problem is about that amount
    ///     (``Finding/Kind/refundedTwice``, ``Finding/Kind/refundReversed``); nil: it is not.
    ///   - named: whom the payment's own data names; nil: nobody.
    package func note(
        _ kind: Finding.Kind, _ payment: PaymentIdentity, of user: UserID?, amount: Int64, currency: String,
        paidAt: Date?, cancelled: Int64? = nil, named: UserID? = nil
    ) async throws(LedgerError) {
        let note = Finding.note(
            kind, payment, of: user, amount: amount, currency: currency, paidAt: paidAt.map { min($0, Self.lastTime) },
            cancelled: cancelled, named: named)
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    _ = try connection.pipeline(Finding.lock(payment), note)
                }
            }
        }
    }

    /// The last second of the year 9999.
    private static let lastTime = Date(timeIntervalSince1970: 253_402_300_799)

    /// Resolves the findings of a payment, under every name that an API of the gateway shows.
    package func resolve(underEveryNameOf sighting: PaymentSighting) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(Finding.resolve(underEveryNameOf: sighting)) }
    }

    /// Resolves the finding under one name of a payment.
    package func resolve(under name: PaymentIdentity) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(Finding.resolve(under: name)) }
    }

    /// Ends one problem of a payment, under the name by which its finding is kept.
    ///
    /// Its other problems stay open; without any, the finding is resolved.
    ///
    /// - Parameter cancelled: what the gateway has cancelled by the answer that disproves the problem; one that a later
    ///   answer with a larger amount noted stays. nil: the problem is about no such amount.
    package func end(
        _ kind: Finding.Kind, under name: PaymentIdentity, cancelled: Int64? = nil
    ) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(Finding.end(kind, under: name, cancelled: cancelled)) }
    }

    /// Resolves the findings that the books have ended: by a credit, the end of a refund or a closing.
    ///
    /// None of these does it itself: to look for findings costs a lone credit 0.07 ms of PostgreSQL, more than to look at all that
    /// is open once a minute, as `FindingsWatch` does. Until then the rule of ``Finding/standing`` hides them from lists and counts.
    ///
    /// Each page is a transaction of its own, so that many ended findings are not too many. What another transaction changes
    /// now is left for the next time.
    ///
    /// - Parameter size: how many findings a statement looks at, at most.
    /// - Returns: how many were resolved. Each has its event `finding.closed`.
    @discardableResult package func settle(pagesOf size: Int64 = 1000) async throws(LedgerError) -> Int {
        try await reading {
            var resolved = 0
            var place: Int64? = 0
            while let last = place {
                let page = try await pools.writes.run(Finding.sweep(after: last, limit: size))
                if !page.ended.isEmpty { resolved += try await resolve(ended: page.ended) }
                place = page.last
            }
            return resolved
        }
    }

    private func resolve(ended ids: [Int64]) async throws -> Int {
        try await pools.writes.withConnection { connection in
            try await connection.transaction { connection in
                let locked = try connection.run(Finding.lockUnlessLocked(ids))
                return try connection.run(Finding.settle(locked))
            }
        }
    }

    /// Findings of the period, in the order of the filter: by default open ones oldest first, resolved ones newest first.
    package func list(
        in period: Period = .always, _ filter: FindingFilter = FindingFilter(), after cursor: After<Int64>? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<Finding, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(Finding.list(in: period, filter, after: cursor, limit: limit))
            return Page(found, limit: limit)
        }
    }
}

/// Which findings a list has.
package struct FindingFilter: Sendable {
    package var status = Finding.Status.open
    /// Only findings of this kind; nil: all.
    package var kind: Finding.Kind?
    /// Only findings of this person; nil: all.
    package var assignee: String?
    /// Only findings that somebody works on (true) or nobody does (false); nil: all.
    package var isAssigned: Bool?
    /// Only findings that this person works on or has decided, by the name under which either was recorded; nil: all.
    package var person: String?
    /// The order by age; nil: open ones oldest first, resolved ones newest first.
    package var sort: Sort?
    /// Only findings of this user, or of payments whose receipt the user presented; nil: all.
    package var user: UserID?
    /// Only findings of the payment with this id, the gateway's or V2's; nil: all.
    package var payment: String?
    /// Only findings of payments of the order with this `merchant_uid`; nil: all.
    package var order: String?

    package init(
        status: Finding.Status = .open, kind: Finding.Kind? = nil, assignee: String? = nil, isAssigned: Bool? = nil,
        person: String? = nil, sort: Sort? = nil, user: UserID? = nil, payment: String? = nil, order: String? = nil
    ) {
        self.status = status
        self.kind = kind
        self.assignee = assignee
        self.isAssigned = isAssigned
        self.person = person
        self.sort = sort
        self.user = user
        self.payment = payment
        self.order = order
    }

    /// The order of a list, by when the findings were found.
    package enum Sort: String, Sendable, CaseIterable {
        case oldest
        case newest
    }

    var isOldestFirst: Bool { sort.map { $0 == .oldest } ?? (status == .open) }
}
