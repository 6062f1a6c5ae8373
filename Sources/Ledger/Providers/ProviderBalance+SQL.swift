import Foundation
import Postgres

extension ProviderBalance {
    /// Providers with terms, by name.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(after provider: String?, stripes: Int64, limit: Int) -> PostgresQuery<[ProviderBalance]> {
        PostgresQuery(
            """
            SELECT terms.id, terms.provider, share, role, withholding, set_by, set_at, (
                SELECT coalesce(sum(balance), 0)::bigint FROM account
                WHERE code = ANY (ARRAY(
                    SELECT 'payable:' || terms.provider || '/' || stripe
                    FROM generate_series(0, $2 - 1) AS stripe)))
            FROM (
                SELECT provider, max(id) AS id FROM provider_terms
                WHERE $1::text IS NULL OR provider > $1
                GROUP BY provider ORDER BY provider LIMIT $3
            ) AS latest
            JOIN provider_terms AS terms USING (id)
            ORDER BY terms.provider
            """,
            [provider, stripes, Int64(limit + 1)]
        ) { row in
            ProviderBalance(
                terms: ProviderTerms(
                    id: try row[0], provider: try row.decode(1), share: try row[2], role: try row.decode(3),
                    withholding: try row.decode(4), setBy: try row[5], setAt: try row[6]),
                payable: try row[7])
        }
    }
}
