package import Foundation
import Postgres

/// Where the next page of findings begins: after this finding.
package struct FindingCursor: Sendable, Codable, Equatable {
    /// The last finding's id.
    package let id: Int64
}

/// Stores and reads findings.
package struct Findings: Sendable {
    let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Notes a problem with a payment.
    ///
    /// Earlier problems of the payment are kept.
    package func note(
        _ kind: Finding.Kind, _ payment: PaymentIdentity, of user: UserID?, amount: Int64, currency: String,
        paidAt: Date?
    ) async throws(LedgerError) {
        let note = Finding.note(
            kind, payment, of: user, amount: amount, currency: currency, paidAt: paidAt.map { min($0, Self.lastTime) })
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

    /// Findings of the period: open ones oldest first, resolved ones newest first.
    package func list(
        in period: Period = .always, _ filter: FindingFilter = FindingFilter(), after cursor: FindingCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<Finding, FindingCursor> {
        try await reading {
            let found = try await pools.reads.run(Finding.list(in: period, filter, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { FindingCursor(id: $0.id) } }
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

    package init(
        status: Finding.Status = .open, kind: Finding.Kind? = nil, assignee: String? = nil, isAssigned: Bool? = nil
    ) {
        self.status = status
        self.kind = kind
        self.assignee = assignee
        self.isAssigned = isAssigned
    }
}
