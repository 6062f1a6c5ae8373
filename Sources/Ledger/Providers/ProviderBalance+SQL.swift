import Foundation
import Postgres

extension ProviderBalance {
    /// Providers with terms, by name, each with the won that are owed.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(
        after provider: String?, stripes: Int64, limit: Int
    ) -> PostgresQuery<[(provider: UserID, payable: Int64)]> {
        PostgresQuery(
            """
            SELECT provider, (
                SELECT coalesce(sum(balance), 0)::bigint FROM account
                WHERE code = ANY (ARRAY(
                    SELECT 'payable:' || provider || '/' || stripe FROM generate_series(0, $2 - 1) AS stripe)))
            FROM (
                SELECT DISTINCT provider FROM provider_terms WHERE $1::text IS NULL OR provider > $1
                ORDER BY provider LIMIT $3
            ) AS listed
            ORDER BY provider
            """,
            [provider, stripes, Int64(limit + 1)]
        ) { row in (try row[0], try row[1]) }
    }
}
