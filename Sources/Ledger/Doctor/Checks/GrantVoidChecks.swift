extension Doctor.Check {
    /// Grants that were voided.
    static let grantVoids: [Doctor.Check] = [
        Doctor.Check(
            "grant_void_differs",
            proves:
                "each void takes its coins from the lot of a grant, out of the wallet, and all of them if it says so",
            sql: """
                SELECT 'entry:' || void.journal_entry_id AS subject,
                    'voids ' || void.coins || ' coins of lot ' || void.lot_id
                        || CASE WHEN void.is_whole THEN ', all' ELSE '' END || '; of it go '
                        || coalesce(moved.coins::text, 'none') || ', and ' || coalesce(moved.remaining::text, 'none')
                        || ' stay' AS detail
                FROM grant_void AS void
                LEFT JOIN journal_entry AS entry ON entry.id = void.journal_entry_id
                LEFT JOIN lot ON lot.id = void.lot_id AND lot.purchase_id IS NULL AND lot.origin_id IS NULL
                LEFT JOIN (
                    SELECT journal_entry_id, lot_id, sum(gone) AS coins, min(remaining) AS remaining,
                        bool_or(held <> held_before) AS is_held
                    FROM (
                        SELECT moved.journal_entry_id, moved.lot_id, moved.remaining, moved.held,
                            lag(moved.remaining, 1, lot.coins) OVER earlier - moved.remaining AS gone,
                            lag(moved.held, 1, 0::bigint) OVER earlier AS held_before
                        FROM lot_movement AS moved
                        JOIN lot ON lot.id = moved.lot_id
                        WHERE moved.lot_id IN (SELECT lot_id FROM grant_void)
                        WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
                    ) AS movement
                    GROUP BY journal_entry_id, lot_id
                ) AS moved ON moved.journal_entry_id = void.journal_entry_id AND moved.lot_id = void.lot_id
                WHERE entry.kind IS DISTINCT FROM 'grant_void' OR entry.reverses IS DISTINCT FROM lot.journal_entry_id
                    OR moved.coins IS DISTINCT FROM void.coins OR moved.is_held
                    OR void.is_whole AND moved.remaining <> 0
                """),
        Doctor.Check(
            "voided_lot_differs", proves: "a lot is a voided one if all that was in the wallet was voided once",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    CASE WHEN lot.is_voided THEN 'is voided; no void took all of it'
                        ELSE 'is not voided; a void took all of it' END AS detail
                FROM lot
                WHERE lot.is_voided <> (lot.id IN (SELECT lot_id FROM grant_void WHERE is_whole))
                """),
        Doctor.Check(
            "return_not_voided",
            proves: "what comes back of a spend or capture into a voided lot is voided with it, and nothing else is",
            sql: """
                SELECT 'lot:' || coalesce(back.lot_id, void.lot_id) AS subject,
                    'entry ' || coalesce(back.journal_entry_id, void.reversal_id) || ' returns ' || coalesce(back.coins, 0)
                        || ' coins after the void; ' || coalesce(void.coins, 0) || ' are voided' AS detail
                FROM (
                    SELECT back.journal_entry_id, back.lot_id, back.coins
                    FROM coin_return AS back
                    JOIN lot_movement AS moved
                        ON moved.lot_id = back.lot_id AND moved.journal_entry_id = back.journal_entry_id
                    WHERE moved.seq > (
                        SELECT min(first.seq) FROM grant_void AS whole
                        JOIN lot_movement AS first
                            ON first.lot_id = whole.lot_id AND first.journal_entry_id = whole.journal_entry_id
                        WHERE whole.lot_id = back.lot_id AND whole.is_whole)
                ) AS back
                FULL JOIN (
                    SELECT reversal_id, lot_id, coins FROM grant_void WHERE reversal_id IS NOT NULL
                ) AS void ON void.reversal_id = back.journal_entry_id AND void.lot_id = back.lot_id
                WHERE back.coins IS DISTINCT FROM void.coins
                """),
    ]
}
