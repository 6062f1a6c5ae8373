extension Doctor.Check {
    /// What came back of spends and captures is what they took.
    static let reversals: [Doctor.Check] = [
        Doctor.Check(
            "reversal_exceeds_redemption",
            proves: "no more coins or won came back of a spend, capture or refund than it took from each lot",
            sql: """
                SELECT 'entry:' || back.redemption_id AS subject,
                    'took ' || coalesce(taken.coins, 0) || ' coins for ' || coalesce(taken.amount, 0) || ' won of lot '
                        || back.lot_id || '; ' || back.coins || ' for ' || back.amount || ' came back' AS detail
                FROM (
                    SELECT redemption_id, lot_id, sum(coins) AS coins, sum(amount) AS amount
                    FROM coin_return
                    -- A claw-back also made debts: dispute_given_back_differs.
                    WHERE redemption_id NOT IN (SELECT id FROM journal_entry WHERE kind = 'claw_back')
                    GROUP BY redemption_id, lot_id
                ) AS back
                LEFT JOIN (
                    SELECT journal_entry_id, lot_id, coins_before - remaining - held AS coins,
                        deferred_before - deferred AS amount
                    FROM (
                        SELECT moved.*,
                            coalesce(lag(moved.remaining::numeric + moved.held) OVER earlier, lot.coins) AS coins_before,
                            coalesce(lag(moved.deferred) OVER earlier, lot.amount) AS deferred_before
                        FROM lot_movement AS moved
                        JOIN lot ON lot.id = moved.lot_id
                        WHERE lot.id IN (SELECT lot_id FROM coin_return)
                        WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
                    ) AS line
                ) AS taken ON taken.journal_entry_id = back.redemption_id AND taken.lot_id = back.lot_id
                WHERE taken.coins IS NULL OR back.coins > taken.coins OR back.amount > taken.amount
                    OR back.coins = taken.coins AND back.amount <> taken.amount
                """),
        Doctor.Check(
            "reversal_misfits_entry",
            proves: "each reversal takes what came back from the accounts that the spend or capture had credited",
            sql: """
                SELECT 'entry:' || reversal.id AS subject,
                    reversal.kind || ' of entry ' || coalesce(reversal.reverses::text, 'nothing') || ' takes '
                        || coalesce(posted.coins, 0) || ' coins and ' || coalesce(posted.amount, 0)
                        || ' won from its accounts; ' || coalesce(back.coins, 0) || ' and ' || coalesce(back.amount, 0)
                        || ' came back' AS detail
                FROM journal_entry AS reversal
                LEFT JOIN journal_entry AS redemption ON redemption.id = reversal.reverses
                LEFT JOIN (
                    SELECT journal_entry_id, redemption_id, sum(coins) AS coins, sum(amount) AS amount
                    FROM coin_return
                    GROUP BY journal_entry_id, redemption_id
                ) AS back ON back.journal_entry_id = reversal.id AND back.redemption_id = reversal.reverses
                LEFT JOIN (
                    SELECT entry.id,
                        sum(posting.amount) FILTER (WHERE posting.currency = 'COIN' AND posting.side = 'D'
                            AND credited.account_id IS NOT NULL) AS coins,
                        -- Between a use and its reversal, a won can move from revenue to VAT or back. So revenue can be
                        -- credited, and is counted by what it loses.
                        coalesce(sum(CASE posting.side WHEN 'D' THEN posting.amount ELSE -posting.amount END)
                            FILTER (WHERE posting.currency = 'KRW' AND (credited.account_id IS NOT NULL
                                OR account.owner IS NULL AND account.code LIKE 'tax:vat-%'
                                OR taxed.id IS NOT NULL AND account.code LIKE 'revenue:%')), 0)
                            -- What a provider loses of our cost was not recognised.
                            - coalesce(max(share.share) FILTER (WHERE terms.role = 'principal'), 0) AS amount
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id
                    LEFT JOIN (
                        SELECT posting.journal_entry_id, posting.account_id, \(nameNow("account")) AS name
                        FROM posting JOIN account ON account.id = posting.account_id WHERE posting.side = 'C'
                    ) AS credited ON credited.journal_entry_id = entry.reverses
                        AND credited.name = \(nameNow("account"))
                    LEFT JOIN (
                        SELECT DISTINCT moved.journal_entry_id AS id
                        FROM lot JOIN lot_movement AS moved ON moved.lot_id = lot.id WHERE lot.vat IS NOT NULL
                    ) AS taxed ON taxed.id = entry.id
                    LEFT JOIN provider_share AS share ON share.journal_entry_id = entry.id
                    LEFT JOIN provider_terms AS terms ON terms.id = share.terms_id
                    WHERE entry.kind IN ('spend_reversal', 'capture_reversal')
                    GROUP BY entry.id
                ) AS posted ON posted.id = reversal.id
                WHERE reversal.kind IN ('spend_reversal', 'capture_reversal')
                    AND (redemption.id IS NULL OR reversal.kind <> redemption.kind || '_reversal'
                        OR coalesce(posted.coins, 0) <> coalesce(back.coins, 0)
                        OR coalesce(posted.amount, 0) <> coalesce(back.amount, 0))
                """),
    ]

    /// SQL of what an account is called without its stripe, by the present id of its user: a merged user's spend is reversed
    /// in the accounts of who they are now.
    private static func nameNow(_ account: String) -> String {
        """
        CASE WHEN \(account).owner IS NULL THEN split_part(\(account).code, '/', 1)
            ELSE split_part(\(account).code, ':', 1) || ':' || \(UserAliases.now("\(account).owner")) END
        """
    }
}
