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
    private static let columns = "user_behind(user_id), consents, set_by, set_at"
    /// The last word under any id of the user: one can be stored under an id that is merged just then.
    private static let last = """
        SELECT \(columns) FROM store_consent
        WHERE user_id = ANY(ARRAY(SELECT unnest(\(UserAliases.names(of: "user_behind($1)")))))
        ORDER BY set_at DESC, id DESC LIMIT 1
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> StoreConsent {
        try row.make(at: &column, StoreConsent.init)
    }

    /// The user's last word.
    static func find(of user: UserID) -> PostgresQuery<StoreConsent?> { .first(last, [user.rawValue]) }

    /// Stores another word than the last one, or finds that it is so already.
    static func set(_ consents: Bool, of user: UserID, by caller: String) -> PostgresQuery<StoreConsent> {
        .one(
            """
            WITH present AS (\(last)), made AS (
                INSERT INTO store_consent (user_id, consents, set_by)
                SELECT user_behind($1), $2, $3 WHERE NOT EXISTS (SELECT FROM present WHERE consents = $2)
                RETURNING \(columns)
            )
            SELECT * FROM made UNION ALL SELECT * FROM present WHERE consents = $2
            """, [user.rawValue, consents, caller])
    }
}

extension Stores {
    /// The user's last word; nil: there is none, as of a user who was forgotten.
    package func consent(of user: UserID) async throws(LedgerError) -> StoreConsent? {
        let found = try await reading { try await pools.lookups.run(StoreConsent.find(of: user)) }
        return found.flatMap { $0.user.isForgotten ? nil : $0 }
    }

    /// Stores the user's word; a repeat changes nothing.
    package func set(
        consents: Bool, of user: UserID, by caller: String
    ) async throws(LedgerError) -> StoreConsent {
        try await reading { try await pools.writes.run(StoreConsent.set(consents, of: user, by: caller)) }
    }
}
