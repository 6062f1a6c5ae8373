import Foundation
import Postgres

/// Where the list of findings goes on: after this one.
public struct FindingCursor: Sendable, Codable, Equatable {
    /// The last finding's id.
    public let id: Int64
}

/// What finance should look at.
public struct Findings: Sendable {
    private let pool: PostgresPool

    init(pool: PostgresPool) { self.pool = pool }

    /// Notes a finding; noting it again only adds what is new about it.
    public func note(
        _ kind: Finding.Kind, _ payment: PaymentIdentity, of user: UserID?, amount: Int64, currency: String
    ) async throws(LedgerError) {
        try await reading {
            _ = try await pool.run(Finding.note(kind, payment, of: user, amount: amount, currency: currency))
        }
    }

    /// Resolves whatever was found of a payment, because it is a purchase now.
    public func resolve(_ payment: PaymentIdentity) async throws(LedgerError) {
        try await reading { _ = try await pool.run(Finding.resolve(payment)) }
    }

    /// What is still the matter, oldest first.
    public func open(
        after cursor: FindingCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<
        Finding, FindingCursor
    > {
        try await reading {
            let found = try await pool.run(Finding.open(after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { FindingCursor(id: $0.id) } }
        }
    }
}
