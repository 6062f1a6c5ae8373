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
        Doctor.Check(
            "hold_misfits_entry", proves: "each hold has its user, its stripe, and what its caller was told",
            sql: """
                SELECT 'hold:' || hold.id AS subject,
                    CASE WHEN \(UserAliases.now("held.owner")) IS DISTINCT FROM hold.user_id
                            OR \(UserAliases.differ("held.stripe", from: "hold"))
                        THEN 'its entry holds coins of another user'
                        ELSE 'differs from the recorded outcome: expires at ' || hold.expires_at END AS detail
                FROM hold
                LEFT JOIN (
                    SELECT posting.journal_entry_id, min(account.owner) AS owner, min(account.stripe) AS stripe
                    FROM posting
                    JOIN account ON account.id = posting.account_id AND account.code LIKE 'held:%'
                    WHERE posting.side = 'C'
                    GROUP BY posting.journal_entry_id
                ) AS held ON held.journal_entry_id = hold.journal_entry_id
                LEFT JOIN (
                    SELECT journal_entry_id, outcome #>> '{holdPlaced,_0,hold,reference}' AS reference,
                        \(number("holdPlaced._0.hold.coins", in: "outcome")) AS coins,
                        -- In seconds from 2001 on.
                        \(number("holdPlaced._0.hold.expiresAt", in: "outcome")) + 978307200 AS expires_at
                    FROM idempotency
                    WHERE command = 'hold'
                ) AS told ON told.journal_entry_id = hold.journal_entry_id
                WHERE \(UserAliases.now("held.owner")) IS DISTINCT FROM hold.user_id
                    OR \(UserAliases.differ("held.stripe", from: "hold"))
                    OR told.journal_entry_id IS NOT NULL AND (told.reference IS DISTINCT FROM hold.reference
                        OR told.coins IS DISTINCT FROM hold.coins
                        OR coalesce(abs(told.expires_at - extract(epoch FROM hold.expires_at)) > 0.001, true))
                """),
        Doctor.Check(
            "hold_differs_from_events", proves: "each hold is captured, released and closed as its events tell",
            sql: """
                SELECT 'hold:' || coalesce(hold.id, told.hold_id) AS subject,
                    CASE WHEN hold.id IS NULL THEN 'has events but does not exist'
                        ELSE hold.status || ', ' || hold.captured || ' captured and ' || hold.released
                            || ' released; its events: ' || coalesce(told.closed_as, 'open') || ', '
                            || coalesce(told.captured, 0) || ' and ' || coalesce(told.released, 0) END AS detail
                FROM hold
                FULL JOIN (
                    SELECT event.hold_id, sum(event.captured) AS captured, sum(event.released) AS released,
                        max(event.status) FILTER (WHERE event.status <> 'open') AS closed_as,
                        max(entry.recorded_at) FILTER (WHERE event.status <> 'open') AS closed_at,
                        count(*) FILTER (WHERE event.status <> 'open') AS closings
                    FROM hold_event AS event
                    LEFT JOIN journal_entry AS entry ON entry.id = event.journal_entry_id
                    GROUP BY event.hold_id
                ) AS told ON told.hold_id = hold.id
                WHERE hold.id IS NULL OR told.closings > 1 OR hold.status <> coalesce(told.closed_as, 'open')
                    OR hold.closed_at IS DISTINCT FROM told.closed_at
                    OR (hold.captured, hold.released) <> (coalesce(told.captured, 0), coalesce(told.released, 0))
                    -- The rest of a hold goes back by itself only when it is over.
                    OR hold.status = 'expired' AND told.closed_at < hold.expires_at
                """),
        Doctor.Check(
            "hold_event_misfits_entry",
            proves: "each entry that captures or releases held coins has an event that tells of it",
            sql: """
                SELECT 'entry:' || coalesce(posted.id, event.journal_entry_id) AS subject,
                    coalesce('posts ' || posted.coins || ' as ' || posted.kind || ' of ' || posted.reference, 'is missing')
                        || '; told: ' || coalesce(event.captured || ' captured, ' || event.released || ' released of hold '
                            || event.hold_id, 'nothing') AS detail
                FROM (
                    SELECT entry.id, entry.kind, entry.reference, sum(posting.amount) AS coins
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id AND posting.side = 'D'
                    JOIN account ON account.id = posting.account_id AND account.code LIKE 'held:%'
                    WHERE entry.kind IN ('capture', 'void')
                    GROUP BY entry.id
                ) AS posted
                FULL JOIN hold_event AS event ON event.journal_entry_id = posted.id
                WHERE NOT coalesce(
                    posted.reference = 'hold:' || event.hold_id
                    AND event.captured = CASE posted.kind WHEN 'capture' THEN posted.coins ELSE 0 END
                    AND event.released = CASE posted.kind WHEN 'void' THEN posted.coins ELSE 0 END, false)
                """),
    ]
}
