import Foundation
import Postgres

extension ProviderTerms {
    private static let columns = "id, provider, share, role, withholding, set_by, set_at"

    /// Has those who set terms take turns.
    ///
    /// The key is "ledgterm" in ASCII.
    static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock(7810759524241207917)")

    /// The terms that apply now.
    static func inForce(of providers: [UserID]) -> PostgresQuery<[ProviderTerms]> {
        PostgresQuery(
            """
            SELECT terms.*
            FROM unnest($1::text[]) AS asked (name)
            CROSS JOIN LATERAL (
                SELECT \(columns) FROM provider_terms WHERE provider = asked.name ORDER BY id DESC LIMIT 1
            ) AS terms
            """,
            [providers.map(\.rawValue)], row: decode)
    }

    /// All versions, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func versions(of provider: UserID, before id: Int64?, limit: Int) -> PostgresQuery<[ProviderTerms]> {
        PostgresQuery(
            "SELECT \(columns) FROM provider_terms WHERE provider = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
            [provider.rawValue, id ?? Int64.max, Int64(limit + 1)], row: decode)
    }

    static func insert(_ draft: ProviderTermsDraft, by caller: String) -> PostgresQuery<ProviderTerms> {
        .one(
            """
            INSERT INTO provider_terms (provider, share, role, withholding, set_by) VALUES ($1, $2, $3, $4, $5)
            RETURNING \(columns)
            """,
            [draft.provider.rawValue, draft.share, draft.role.rawValue, draft.withholding.rawValue, caller],
            row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> ProviderTerms {
        ProviderTerms(
            id: try row[0], provider: try row.decode(1), share: try row[2], role: try row.decode(3),
            withholding: try row.decode(4), setBy: try row[5], setAt: try row[6])
    }
}
