import Foundation
package import Postgres

extension ProviderTerms {
    private static let columns = "id, provider, product, share, role, withholding, set_by, set_at"

    /// Has those who set terms take turns.
    ///
    /// The key is "ledgterm" in ASCII.
    static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock(7810759524241207917)")

    /// The terms that apply now: those of all items first, then those of these items by name.
    ///
    /// - Parameter items: nil: all items with terms of their own.
    static func inForce(of providers: [UserID], items: [String]? = nil) -> PostgresQuery<[ProviderTerms]> {
        PostgresQuery(
            """
            SELECT DISTINCT ON (provider, product) \(columns)
            FROM provider_terms
            WHERE provider = ANY($1) AND (product IS NULL OR $2::text[] IS NULL OR product = ANY($2))
            ORDER BY provider, product NULLS FIRST, id DESC
            """,
            [providers.map(\.rawValue), items])
    }

    /// All versions, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func versions(of provider: UserID, before id: Int64?, limit: Int) -> PostgresQuery<[ProviderTerms]> {
        PostgresQuery(
            "SELECT \(columns) FROM provider_terms WHERE provider = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
            [provider.rawValue, id ?? Int64.max, Int64(limit + 1)])
    }

    static func insert(
        _ draft: ProviderTermsDraft, standard: Withholding, by caller: String
    ) -> PostgresQuery<ProviderTerms> {
        .one(
            """
            INSERT INTO provider_terms (provider, product, share, role, withholding, set_by)
            VALUES ($1, $2, $3, $4, coalesce(
                $5, (SELECT withholding FROM provider_terms WHERE provider = $1 ORDER BY id DESC LIMIT 1), $6), $7)
            RETURNING \(columns)
            """,
            [
                draft.provider.rawValue, draft.item, draft.share, draft.role.rawValue, draft.withholding?.rawValue,
                standard.rawValue, caller,
            ])
    }
}

extension ProviderTerms: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> ProviderTerms {
        try row.make(at: &column, ProviderTerms.init)
    }
}

extension ProviderTerms.Role: PostgresRawRepresentable {}

extension ProviderTerms.Withholding: PostgresRawRepresentable {}
