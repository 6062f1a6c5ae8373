import Postgres

/// Lots of grants, what of them can be voided, and what was.
extension Lot {
    /// The lot of the grant with this journal entry.
    static func ofGrant(_ id: Int64) -> PostgresQuery<[Lot]> { find(where: isOfGrant, [id]) }

    /// The grant with this journal entry, with what of it can be voided, and what was.
    static func voidable(_ id: Int64) -> PostgresQuery<[VoidableGrant]> {
        PostgresQuery("SELECT \(voidable) FROM lot WHERE \(isOfGrant)", [id])
    }

    /// The same of a user's grants of which coins are left, newest first.
    static func voidable(of user: UserID, limit: Int) -> PostgresQuery<[VoidableGrant]> {
        PostgresQuery(
            """
            SELECT \(voidable) FROM lot
            WHERE user_id = $1 AND is_open AND kind = 'bonus' AND purchase_id IS NULL AND origin_id IS NULL
            ORDER BY id DESC
            LIMIT $2
            """, [user.rawValue, Int64(limit)])
    }

    private static let voidable = """
        \(columnsOfAny), CASE WHEN expires_at <= clock_timestamp() THEN 0 ELSE remaining END,
        \(voidedCoins(of: "lot.id"))
        """

    /// Lots that a campaign gave, in the order of their ids, after one of them.
    static func ofCampaign(_ id: Int64, after lot: Int64, limit: Int) -> PostgresQuery<[Lot]> {
        PostgresQuery(
            """
            SELECT \(columns)
            FROM (
                SELECT lot_id FROM campaign_grant WHERE campaign_id = $1 AND lot_id > $2 ORDER BY lot_id LIMIT $3
            ) AS given
            CROSS JOIN LATERAL (SELECT * FROM lot WHERE lot.id = given.lot_id OFFSET 0) AS lot
            ORDER BY lot.id
            """, [id, lot, Int64(limit)])
    }

    /// The coins of each of these grants' lots that were voided because somebody asked for it.
    static func voidedCoins(of ids: [Int64]) -> PostgresQuery<[(id: Int64, coins: Int64)]> {
        PostgresQuery(
            "SELECT asked.id, \(voidedCoins(of: "asked.id")) FROM unnest($1::int8[]) AS asked (id)", [ids]
        ) { row in (id: try row[0], coins: try row[1]) }
    }

    private static func voidedCoins(of lot: String) -> String {
        "(SELECT coalesce(sum(coins), 0)::int8 FROM grant_void WHERE lot_id = \(lot) AND reversal_id IS NULL)"
    }

    /// Those of these lots that belong to voided grants.
    static func voided(among ids: [Int64]) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT id FROM lot WHERE id = ANY($1) AND is_voided", [ids]) { row in try row[0] }
    }

    /// Only the primary key has the order, so no plan looks for an id in the index by transaction (decision 0002).
    private static let isOfGrant = """
        lot.id = (
            SELECT substr(reference, 5)::bigint FROM journal_entry WHERE id = ANY(ARRAY[$1::bigint]) AND kind = 'grant'
            ORDER BY id)
        """
}
