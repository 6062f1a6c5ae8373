extension Doctor.Check {
    /// Holds agree with their lots and entries.
    static let holds: [Doctor.Check] = [
        Doctor.Check(
            "hold_differs_from_its_lots", proves: "each hold's coins are the sums of its lots",
            sql: """
                SELECT 'hold:' || hold.id AS subject,
                    'of ' || hold.coins || ' coins ' || hold.coins - hold.captured - hold.released
                        || ' are held; its lots have ' || coalesce(lots.coins, 0) || ' and ' || coalesce(lots.held, 0)
                    AS detail
                FROM hold
                LEFT JOIN (
                    SELECT hold_id, sum(coins) AS coins, sum(held) AS held FROM hold_lot GROUP BY hold_id
                ) AS lots ON lots.hold_id = hold.id
                WHERE hold.coins <> coalesce(lots.coins, 0)
                    OR hold.coins - hold.captured - hold.released <> coalesce(lots.held, 0)
                """),
        Doctor.Check(
            "lot_held_differs",
            proves: "each lot's held coins are those of its holds, pending refunds and frozen coins",
            sql: """
                SELECT 'lot:' || coalesce(lot.id, held.lot_id) AS subject,
                    CASE WHEN lot.id IS NULL THEN 'is held but does not exist'
                        ELSE 'held ' || lot.held || ', holds, refunds and disputes have ' || coalesce(held.coins, 0) END AS detail
                FROM lot
                FULL JOIN (
                    SELECT lot_id, sum(coins) AS coins
                    FROM (
                        SELECT lot_id, held AS coins FROM hold_lot
                        UNION ALL
                        SELECT lot.id, CASE lot.kind WHEN 'paid' THEN refund.coins ELSE refund.bonus_coins END
                        FROM refund
                        JOIN lot ON lot.purchase_id = refund.purchase_id
                        WHERE refund.status = 'pending'
                        UNION ALL
                        SELECT lot.id, CASE act WHEN 'hold' THEN 1 ELSE -1 END
                            * CASE lot.kind WHEN 'paid' THEN coin_freeze.coins ELSE coin_freeze.bonus_coins END
                        FROM coin_freeze
                        JOIN lot ON lot.purchase_id = coin_freeze.purchase_id
                    ) AS part
                    GROUP BY lot_id
                ) AS held ON held.lot_id = lot.id
                WHERE lot.id IS NULL OR lot.held <> coalesce(held.coins, 0)
                """),
        Doctor.Check(
            "hold_differs_from_entries", proves: "each hold's entries posted what it held, captured and released",
            sql: """
                SELECT 'hold:' || hold.id AS subject,
                    'of ' || hold.coins || ' coins ' || hold.captured || ' captured and ' || hold.released
                        || ' released; its entries post ' || coalesce(posted.held, 0) || ', '
                        || coalesce(posted.captured, 0) || ' and ' || coalesce(posted.released, 0) AS detail
                FROM hold
                LEFT JOIN (
                    SELECT entry.reference, sum(posting.amount) FILTER (WHERE entry.kind = 'hold') AS held,
                        sum(posting.amount) FILTER (WHERE entry.kind = 'capture') AS captured,
                        sum(posting.amount) FILTER (WHERE entry.kind = 'void') AS released,
                        min(entry.id) FILTER (WHERE entry.kind = 'hold') AS hold_entry_id
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id AND account.code LIKE 'held:%'
                    WHERE entry.kind IN ('hold', 'capture', 'void')
                    GROUP BY entry.reference
                ) AS posted ON posted.reference = 'hold:' || hold.id
                WHERE hold.coins <> coalesce(posted.held, 0) OR hold.captured <> coalesce(posted.captured, 0)
                    OR hold.released <> coalesce(posted.released, 0)
                    OR hold.journal_entry_id IS DISTINCT FROM posted.hold_entry_id
                """),
    ]
}
