extension Doctor.Check {
    /// Coins that went from one user to another.
    static let gifts: [Doctor.Check] = [
        Doctor.Check(
            "clearing_not_zero", proves: "what is on its way between users is zero over all stripes, after every act",
            sql: """
                SELECT 'entry:' || max(posting.journal_entry_id) AS subject,
                    'leaves ' || sum(CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END) || ' '
                        || posting.currency || ' on the clearing accounts' AS detail
                FROM account
                JOIN posting ON posting.account_id = account.id
                JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                WHERE account.owner IS NULL AND account.code LIKE 'clearing:%'
                GROUP BY entry.reference, posting.currency
                HAVING sum(CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END) <> 0
                """),
        Doctor.Check(
            "gift_misfits_entries",
            proves: "each gift's entries are those of its users, and post its coins and won to the clearing accounts",
            sql: """
                SELECT 'gift:' || gift.id AS subject,
                    'moves ' || gift.coins || ' coins for ' || gift.amount || ' won from ' || gift.from_user || ' to '
                        || gift.to_user || '; entry ' || side.entry_id || ' posts ' || coalesce(posted.coins, 0) || ' for '
                        || coalesce(posted.won, 0) || ' of ' || coalesce(posted.users, 'nobody') AS detail
                FROM gift
                CROSS JOIN LATERAL (
                    VALUES (gift.sent_entry_id, gift.from_user, 1), (gift.received_entry_id, gift.to_user, -1)
                ) AS side (entry_id, user_id, sign)
                LEFT JOIN (
                    SELECT posting.journal_entry_id,
                        coalesce(sum(gain) FILTER (WHERE code LIKE 'clearing:coins/%'), 0) AS coins,
                        coalesce(sum(gain) FILTER (WHERE code LIKE 'clearing:won/%'), 0) AS won,
                        string_agg(DISTINCT owner, ', ') FILTER (WHERE code LIKE 'wallet:%') AS users
                    FROM (
                        SELECT posting.journal_entry_id, account.code, account.owner,
                            CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END AS gain
                        FROM posting
                        JOIN account ON account.id = posting.account_id
                        WHERE posting.journal_entry_id IN (
                            SELECT sent_entry_id FROM gift UNION ALL SELECT received_entry_id FROM gift)
                    ) AS posting
                    GROUP BY posting.journal_entry_id
                ) AS posted ON posted.journal_entry_id = side.entry_id
                WHERE (posted.coins, posted.won, posted.users) IS DISTINCT FROM (
                    side.sign * gift.coins::numeric, side.sign * gift.amount::numeric,
                    CASE WHEN gift.coins > 0 THEN side.user_id END)
                """),
        Doctor.Check(
            "gift_misfits_lots",
            proves: "each gift takes its coins and won from lots of one user, and they get to lots of the other",
            sql: """
                SELECT 'gift:' || coalesce(gift.id, moved.gift_id) AS subject,
                    'moves ' || coalesce(gift.coins, 0) || ' coins for ' || coalesce(gift.amount, 0) || ' won; its lots '
                        || coalesce(moved.coins, 0) || ' for ' || coalesce(moved.amount, 0)
                        || CASE WHEN moved.misfit IS NULL THEN '' ELSE '; that of lot ' || moved.misfit || ' does not fit' END
                        AS detail
                FROM gift
                FULL JOIN (
                    SELECT gift_lot.gift_id, sum(gift_lot.coins) AS coins,
                        sum(gift_lot.amount + gift_lot.recognised) AS amount,
                        min(gift_lot.from_lot_id) FILTER (
                            WHERE \(UserAliases.now("given.user_id")) IS DISTINCT FROM \(UserAliases.now("gift.from_user"))
                                OR \(UserAliases.now("got.user_id")) IS DISTINCT FROM \(UserAliases.now("gift.to_user"))
                                OR given.kind IS DISTINCT FROM got.kind OR given.vat IS DISTINCT FROM got.vat
                                OR (gone.coins, gone.amount, gone.recognised) IS DISTINCT FROM
                                    (gift_lot.coins::numeric, gift_lot.amount::numeric, gift_lot.recognised::numeric)
                                OR NOT coalesce(CASE WHEN gift.purchase_id IS NULL
                                    THEN gift_lot.recognised = 0 AND got.journal_entry_id = gift.received_entry_id
                                        AND got.coins = gift_lot.coins AND got.amount = gift_lot.amount
                                        AND got.origin_id = coalesce(given.origin_id, given.id)
                                        AND got.issuer IS NOT DISTINCT FROM given.issuer
                                    ELSE got.id = given.origin_id AND got.purchase_id = gift.purchase_id
                                        AND (-back.coins, -back.amount, -back.recognised) IS NOT DISTINCT FROM
                                            (gift_lot.coins::numeric, gift_lot.amount::numeric, gift_lot.recognised::numeric)
                                END, false)) AS misfit
                    FROM gift_lot
                    LEFT JOIN gift ON gift.id = gift_lot.gift_id
                    LEFT JOIN lot AS given ON given.id = gift_lot.from_lot_id
                    LEFT JOIN lot AS got ON got.id = gift_lot.to_lot_id
                    LEFT JOIN (\(taken)) AS gone
                        ON gone.journal_entry_id = gift.sent_entry_id AND gone.lot_id = gift_lot.from_lot_id
                    LEFT JOIN (\(taken)) AS back
                        ON back.journal_entry_id = gift.received_entry_id AND back.lot_id = gift_lot.to_lot_id
                    GROUP BY gift_lot.gift_id
                ) AS moved ON moved.gift_id = gift.id
                WHERE gift.id IS NULL OR moved.misfit IS NOT NULL
                    OR (gift.coins, gift.amount) IS DISTINCT FROM (moved.coins, moved.amount)
                """),
        Doctor.Check(
            "given_lot_differs",
            proves:
                "each lot with given coins came by a gift, is of the purchase of the lot that was bought, and begins with its VAT",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    'is of lot ' || coalesce(lot.origin_id::text, 'none') || coalesce(' of purchase ' || lot.origin_purchase_id, '')
                        || ', and begins with ' || lot.began_taxed || ' won recognised; that is of purchase '
                        || coalesce(origin.purchase_id::text, 'none') || ', and leaves '
                        || coalesce(moved.taxable::text, 'none') AS detail
                FROM lot
                LEFT JOIN lot AS origin ON origin.id = lot.origin_id
                LEFT JOIN (
                    SELECT gift_lot.to_lot_id, after.taxed + after.taxed_breakage + after.deferred AS taxable
                    FROM gift
                    JOIN gift_lot ON gift_lot.gift_id = gift.id
                    JOIN lot_movement AS after
                        ON after.lot_id = gift_lot.from_lot_id AND after.journal_entry_id = gift.sent_entry_id
                    WHERE gift.purchase_id IS NULL
                ) AS moved ON moved.to_lot_id = lot.id
                WHERE CASE WHEN lot.origin_id IS NULL THEN lot.origin_purchase_id IS NOT NULL OR lot.began_taxed <> 0
                    ELSE origin.id IS NULL OR origin.origin_id IS NOT NULL OR moved.to_lot_id IS NULL
                        OR lot.origin_purchase_id IS DISTINCT FROM origin.purchase_id OR lot.purchase_id IS NOT NULL
                        OR lot.began_taxed IS DISTINCT FROM CASE WHEN lot.vat IS NULL THEN 0
                            ELSE (moved.taxable % 11 + 11) % 11 END END
                """),
    ]

    /// What entries of gifts took of lots.
    private static let taken = """
        SELECT journal_entry_id, lot_id, coins, amount, recognised
        FROM (
            SELECT moved.journal_entry_id, moved.lot_id,
                lag(moved.remaining::numeric, 1, lot.coins) OVER earlier - moved.remaining AS coins,
                lag(moved.deferred::numeric, 1, lot.amount) OVER earlier - moved.deferred AS amount,
                lag(moved.taxed::numeric, 1, lot.began_taxed) OVER earlier - moved.taxed AS recognised
            FROM lot_movement AS moved
            JOIN lot ON lot.id = moved.lot_id
            WHERE moved.lot_id IN (SELECT from_lot_id FROM gift_lot UNION ALL SELECT to_lot_id FROM gift_lot)
            WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
        ) AS movement
        """
}
