package import Foundation
package import Postgres

/// Whether a user lets the stores be told how the coins were used that were bought there.
package struct StoreConsent: Sendable, Equatable {
    package let user: UserID
    package let consents: Bool
    /// The caller who stored it.
    package let setBy: String
    package let setAt: Date
}

extension StoreConsent: PostgresReadable {
    private static let columns = "user_id, consents, set_by, set_at"

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> StoreConsent {
        try row.make(at: &column, StoreConsent.init)
    }

    /// The user's last word.
    static func find(of user: UserID) -> PostgresQuery<StoreConsent?> {
        .first(
            "SELECT \(columns) FROM store_consent WHERE user_id = $1 ORDER BY set_at DESC, id DESC LIMIT 1",
            [user.rawValue])
    }

    /// Stores another word than the last one, or finds that it is so already.
    static func set(_ consents: Bool, of user: UserID, by caller: String) -> PostgresQuery<StoreConsent> {
        .one(
            """
            WITH present AS (
                SELECT \(columns) FROM store_consent WHERE user_id = $1 ORDER BY set_at DESC, id DESC LIMIT 1
            ), made AS (
                INSERT INTO store_consent (user_id, consents, set_by)
                SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM present WHERE consents = $2)
                RETURNING \(columns)
            )
            SELECT * FROM made UNION ALL SELECT * FROM present WHERE consents = $2
            """, [user.rawValue, consents, caller])
    }
}

extension Stores {
    /// The user's last word; nil: there is none, as of a user who was forgotten.
    package func consent(of user: UserID) async throws(LedgerError) -> StoreConsent? {
        guard !user.isForgotten else { return nil }
        return try await reading { try await pools.lookups.run(StoreConsent.find(of: user)) }
    }

    /// Stores the user's word; a repeat changes nothing.
    package func set(
        consents: Bool, of user: UserID, by caller: String
    ) async throws(LedgerError) -> StoreConsent {
        try await reading { try await pools.writes.run(StoreConsent.set(consents, of: user, by: caller)) }
    }
}
