extension Doctor.Check {
    /// Lots agree with wallets and deferred revenue, and their movements have no gaps.
    static let lots: [Doctor.Check] = [
        Doctor.Check(
            "lot_misfits_entry", proves: "each lot's journal entry and purchase exist and fit the lot",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    'does not fit entry ' || lot.journal_entry_id || coalesce(' or purchase ' || lot.purchase_id, '')
                    AS detail
                FROM lot
                LEFT JOIN journal_entry AS entry ON entry.id = lot.journal_entry_id
                LEFT JOIN purchase ON purchase.id = lot.purchase_id
                WHERE entry.id IS NULL OR \(UserAliases.differ("entry.stripe", from: "lot"))
                    OR lot.purchase_id IS NOT NULL
                    AND (purchase.id IS NULL OR purchase.journal_entry_id <> lot.journal_entry_id
                        OR purchase.user_id <> \(UserAliases.now("lot.user_id")))
                """),
        Doctor.Check(
            "lot_movement_gap", proves: "each lot's movements are numbered from 1 to its last, without gaps",
            sql: """
                SELECT 'lot:' || coalesce(lot.id, moved.lot_id) AS subject,
                    CASE WHEN lot.id IS NULL THEN 'has movements but does not exist'
                        ELSE 'last number ' || lot.seq || ', but ' || coalesce(moved.count, 0)
                            || ' movements up to number ' || coalesce(moved.last, 0) END AS detail
                FROM lot
                FULL JOIN (
                    SELECT lot_id, count(*) AS count, max(seq) AS last FROM lot_movement GROUP BY lot_id
                ) AS moved ON moved.lot_id = lot.id
                WHERE lot.id IS NULL OR lot.seq <> coalesce(moved.count, 0) OR lot.seq <> coalesce(moved.last, 0)
                """),
        Doctor.Check(
            "lot_state_differs", proves: "each lot has the state of its last movement, or its first state",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    'remaining ' || lot.remaining || ', held ' || lot.held || ', deferred ' || lot.deferred || ', expired '
                        || lot.expired || ' for ' || lot.breakage || '; its movements leave '
                        || coalesce(moved.remaining, lot.coins) || ', ' || coalesce(moved.held, 0) || ', '
                        || coalesce(moved.deferred, lot.amount) || ', ' || coalesce(moved.expired, 0) || ' for '
                        || coalesce(moved.breakage, 0) AS detail
                FROM lot
                LEFT JOIN (
                    SELECT DISTINCT ON (lot_id) lot_id, remaining, held, deferred, expired, breakage, returned_at
                    FROM lot_movement
                    ORDER BY lot_id, seq DESC
                ) AS moved ON moved.lot_id = lot.id
                WHERE lot.remaining <> coalesce(moved.remaining, lot.coins) OR lot.held <> coalesce(moved.held, 0)
                    OR lot.deferred <> coalesce(moved.deferred, lot.amount)
                    -- Movements of before the facts were kept do not tell what had expired.
                    OR (moved.lot_id IS NULL OR moved.expired IS NOT NULL) AND (
                        lot.expired <> coalesce(moved.expired, 0) OR lot.breakage <> coalesce(moved.breakage, 0)
                        OR lot.returned_at IS DISTINCT FROM moved.returned_at)
                """),
        Doctor.Check(
            "lot_movement_misfits",
            proves:
                "a lot's coins and won grow only when used, expired or given ones come back; each movement fits its entry",
            sql: """
                SELECT 'lot:' || lot_id || '/' || seq AS subject,
                    CASE WHEN entry_recorded_at IS NULL THEN 'its entry ' || journal_entry_id || ' does not exist'
                        WHEN entry_recorded_at <> recorded_at OR entry_stripe <> stripe
                            THEN 'has another time or stripe than its entry ' || journal_entry_id
                        WHEN recorded_at < recorded_before THEN 'was recorded before the previous movement'
                        ELSE 'increases the lot' END AS detail
                FROM (
                    SELECT moved.*, entry.recorded_at AS entry_recorded_at, entry.stripe AS entry_stripe,
                        lag(moved.recorded_at) OVER earlier AS recorded_before,
                        coalesce(lag(moved.remaining::numeric + moved.held) OVER earlier, lot.coins) AS coins_before,
                        coalesce(lag(moved.deferred) OVER earlier, lot.amount) AS deferred_before,
                        CASE entry.kind WHEN 'expiry_reversal' THEN lag(moved.expired) OVER earlier - moved.expired
                            ELSE 0 END AS not_expired,
                        CASE entry.kind WHEN 'expiry_reversal' THEN lag(moved.breakage) OVER earlier - moved.breakage
                            ELSE 0 END AS not_breakage
                    FROM lot_movement AS moved
                    JOIN lot ON lot.id = moved.lot_id
                    LEFT JOIN journal_entry AS entry ON entry.id = moved.journal_entry_id
                    WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
                ) AS line
                LEFT JOIN (
                    SELECT journal_entry_id, lot_id, coins AS coins_back, amount AS amount_back FROM coin_return
                    UNION ALL
                    SELECT received_entry_id, to_lot_id, coins, amount
                    FROM (SELECT id, received_entry_id FROM gift WHERE purchase_id IS NOT NULL) AS gift
                    JOIN gift_lot ON gift_lot.gift_id = gift.id
                ) AS back USING (journal_entry_id, lot_id)
                WHERE entry_recorded_at IS NULL OR entry_recorded_at <> recorded_at OR entry_stripe <> stripe
                    OR recorded_at < recorded_before OR remaining < 0 OR held < 0 OR deferred < 0
                    OR remaining::numeric + held > coins_before + coalesce(coins_back, 0) + not_expired
                    OR deferred > deferred_before + coalesce(amount_back, 0) + not_breakage
                """),
        coins("wallet_differs_from_lots", in: "wallet", are: "remaining"),
        coins("held_differs_from_lots", in: "held", are: "held"),
        total(
            "deferred_revenue_differs", of: .deferredRevenue, is: "deferred",
            proves: "in each stripe, deferred revenue is the sum of what is deferred in lots"),
        total(
            "expired_coins_differ", of: .coinsExpired, is: "expired",
            proves: "in each stripe, expired coins are the sum of the expired coins of lots"),
        Doctor.Check(
            "lot_expiry_misfits_entry",
            proves:
                "each expiry makes its coins and won expired, only claw-backs and refunds take them back, and entries post it",
            sql: "\(expiryByMovement)\nUNION ALL\n\(expiryByEntry)"),
        Doctor.Check(
            "lot_extension_differs", proves: "a lot expires when the last reversal that extended its life says",
            sql: """
                SELECT 'lot:' || back.lot_id AS subject,
                    'expires at ' || coalesce(back.next_at::text, 'no time') || '; entry ' || back.journal_entry_id
                        || ' extended it from ' || back.expired_at || ' to ' || back.expires_at AS detail
                FROM (
                    SELECT coin_return.*, lot.purchase_id, lot.acquired_at, entry.recorded_at,
                        lead(coin_return.expired_at, 1, lot.expires_at) OVER (
                            PARTITION BY lot.id ORDER BY entry.recorded_at, entry.id) AS next_at
                    FROM coin_return
                    JOIN journal_entry AS entry ON entry.id = coin_return.journal_entry_id
                    JOIN lot ON lot.id = coin_return.lot_id
                    WHERE coin_return.expires_at IS NOT NULL
                ) AS back
                WHERE back.next_at IS DISTINCT FROM back.expires_at OR back.expired_at > back.recorded_at
                    OR back.expires_at <= back.recorded_at
                """),
        Doctor.Check(
            "entry_differs_from_lots",
            proves: "each entry changes wallets, held accounts and deferred revenue by as much as lots",
            sql: entryAgainstLots),
    ]

    /// Compares users' accounts of one kind with their lots.
    private static func coins(_ code: String, in prefix: String, are column: String) -> Doctor.Check {
        Doctor.Check(
            code, proves: "each \(prefix) account's balance is the sum of the \(column) coins of its lots",
            sql: """
                SELECT coalesce('account:' || account.id, 'lot:' || lots.first) AS subject,
                    CASE WHEN account.id IS NULL THEN 'has no \(prefix) account'
                        ELSE 'balance ' || account.balance || ', lots have ' || coalesce(lots.coins, 0) END AS detail
                FROM (SELECT id, code, balance FROM account WHERE code LIKE '\(prefix):%') AS account
                FULL JOIN (
                    SELECT '\(prefix):' || user_id || ':' || kind AS code, sum(\(column)) AS coins, min(id) AS first
                    FROM lot
                    GROUP BY user_id, kind
                ) AS lots ON lots.code = account.code
                WHERE coalesce(account.balance, 0) <> coalesce(lots.coins, 0)
                """)
    }

    /// The sums of a system account, by ``UserAliases/part``.
    static func sums(of account: SystemAccount) -> String {
        """
        SELECT \(UserAliases.part) AS part, min(id) AS id, sum(balance) AS balance
        FROM account WHERE code = '\(account.rawValue)/' || stripe
        GROUP BY part
        """
    }

    /// Compares a system account with the lots of its stripe.
    private static func total(
        _ code: String, of account: SystemAccount, is column: String, proves: String
    ) -> Doctor.Check {
        Doctor.Check(
            code, proves: proves,
            sql: """
                SELECT 'account:' || account.id AS subject,
                    'balance ' || account.balance || ', lots have ' || coalesce(lots.total, 0) AS detail
                FROM (\(sums(of: account))) AS account
                LEFT JOIN (SELECT \(UserAliases.part) AS part, sum(\(column)) AS total FROM lot GROUP BY part) AS lots
                    ON lots.part = account.part
                WHERE account.balance <> coalesce(lots.total, 0)
                """)
    }

    /// Compares what each entry posted to the accounts of lots with what it changed in lots.
    ///
    /// Entries from before movements were stored can't be compared.
    private static let entryAgainstLots = """
        SELECT 'entry:' || coalesce(posted.id, moved.id) AS subject,
            'posts ' || coalesce(posted.paid, 0) || ' paid, ' || coalesce(posted.bonus, 0) || ' bonus, '
                || coalesce(posted.held, 0) || ' held, ' || coalesce(posted.deferred, 0) || ' deferred; moves '
                || coalesce(moved.paid, 0) || ', ' || coalesce(moved.bonus, 0) || ', ' || coalesce(moved.held, 0)
                || ', ' || coalesce(moved.deferred, 0) || ' of lots' AS detail
        FROM (
            SELECT posting.journal_entry_id AS id,
                sum(gain) FILTER (WHERE code LIKE 'wallet:%:paid') AS paid,
                sum(gain) FILTER (WHERE code LIKE 'wallet:%:bonus') AS bonus,
                sum(gain) FILTER (WHERE code LIKE 'held:%') AS held,
                sum(gain) FILTER (WHERE currency = 'KRW') AS deferred
            FROM (
                SELECT posting.journal_entry_id, account.code, posting.currency,
                    CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END AS gain
                FROM posting
                JOIN account ON account.id = posting.account_id
                WHERE account.code LIKE 'wallet:%' OR account.code LIKE 'held:%'
                    OR account.code LIKE '\(SystemAccount.deferredRevenue.rawValue)/%'
            ) AS posting
            GROUP BY posting.journal_entry_id
        ) AS posted
        FULL JOIN (
            SELECT id, sum(coins) FILTER (WHERE kind = 'paid') AS paid, sum(coins) FILTER (WHERE kind = 'bonus') AS bonus,
                sum(held) AS held, sum(deferred) AS deferred
            FROM (
                SELECT journal_entry_id AS id, kind, coins, 0 AS held, amount AS deferred FROM lot
                UNION ALL
                SELECT moved.journal_entry_id, lot.kind,
                    moved.remaining::numeric - coalesce(lag(moved.remaining) OVER earlier, lot.coins),
                    moved.held::numeric - coalesce(lag(moved.held) OVER earlier, 0),
                    moved.deferred::numeric - coalesce(lag(moved.deferred) OVER earlier, lot.amount)
                FROM lot_movement AS moved
                JOIN lot ON lot.id = moved.lot_id
                WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
            ) AS change
            GROUP BY id
        ) AS moved ON moved.id = posted.id
        JOIN journal_entry AS entry ON entry.id = coalesce(posted.id, moved.id)
        -- The lots of a merge change their user whole, without movements.
        WHERE entry.kind <> 'merge' AND (coalesce(posted.paid, 0) <> coalesce(moved.paid, 0)
                OR coalesce(posted.bonus, 0) <> coalesce(moved.bonus, 0)
                OR coalesce(posted.held, 0) <> coalesce(moved.held, 0)
                OR coalesce(posted.deferred, 0) <> coalesce(moved.deferred, 0))
            -- Movements are kept since then; a ledger that began with the baseline always kept them.
            AND entry.recorded_at >= coalesce((SELECT applied_at FROM migration WHERE name = 'wallet'), '-infinity')
        """

    /// What movements do to expired coins, by the kind of their entry.
    private static let expiryByMovement = """
        SELECT 'lot:' || lot_id || '/' || seq AS subject,
            kind || ' leaves ' || remaining || ' coins, ' || expired || ' expired, ' || deferred || ' won deferred, '
                || breakage || ' recognised; before: ' || remaining_before || ', ' || expired_before || ', '
                || deferred_before || ' and ' || breakage_before AS detail
        FROM (
            SELECT moved.*, entry.kind, lot.vat,
                lag(moved.remaining, 1, lot.coins) OVER earlier AS remaining_before,
                lag(moved.deferred, 1, lot.amount) OVER earlier AS deferred_before,
                lag(moved.expired, 1, 0::bigint) OVER earlier AS expired_before,
                lag(moved.breakage, 1, 0::bigint) OVER earlier AS breakage_before,
                lag(moved.returned_at) OVER earlier AS returned_before
            FROM lot_movement AS moved
            JOIN lot ON lot.id = moved.lot_id
            JOIN journal_entry AS entry ON entry.id = moved.journal_entry_id
            WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
        ) AS line
        -- Movements of before the facts were kept do not tell it.
        WHERE expired IS NOT NULL AND expired_before IS NOT NULL AND (
            NOT CASE
                WHEN kind IN ('expiry', 'expiry_reversal')
                    THEN remaining_before::numeric - remaining = expired::numeric - expired_before
                        AND deferred_before::numeric - deferred = breakage::numeric - breakage_before
                WHEN kind IN ('claw_back', 'refund') THEN expired <= expired_before AND breakage <= breakage_before
                ELSE expired = expired_before AND breakage = breakage_before END
            OR returned_at IS DISTINCT FROM
                CASE WHEN remaining > remaining_before THEN recorded_at ELSE returned_before END)
            OR vat IS NULL AND (taxed <> 0 OR taxed_breakage <> 0)
        """

    /// What entries post as expired and as breakage, against what they change in lots.
    ///
    /// The part of breakage that is VAT is looked at by other checks: here it is only bounded, by 10/110 of what changes, and
    /// by what four figures that are rounded down can differ. It changes with the use of the lot's other coins too, if more
    /// went back than was recognised for them.
    private static let expiryByEntry = """
        SELECT 'entry:' || moved.id,
            'makes ' || moved.expired || ' coins of lots expired and recognises ' || moved.breakage || ' won; it posts '
                || coalesce(posted.expired, 0) || ' and ' || coalesce(posted.breakage, 0)
        FROM (
            SELECT id, sum(expired) AS expired, sum(breakage) AS breakage,
                sum(div(abs(breakage) + abs(used), 11) + 2) FILTER (WHERE is_taxed) AS tax
            FROM (
                SELECT moved.journal_entry_id AS id,
                    moved.expired::numeric - lag(moved.expired, 1, 0::bigint) OVER earlier AS expired,
                    moved.breakage::numeric - lag(moved.breakage, 1, 0::bigint) OVER earlier AS breakage,
                    moved.taxed::numeric - lag(moved.taxed, 1, 0::bigint) OVER earlier AS used,
                    moved.taxed_breakage::numeric + lag(moved.taxed_breakage, 1, 0::bigint) OVER earlier > 0 AS is_taxed
                FROM lot_movement AS moved
                WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
            ) AS change
            GROUP BY id
            -- Movements of before the facts were kept do not tell it.
            HAVING count(*) = count(expired)
        ) AS moved
        LEFT JOIN (
            SELECT journal_entry_id AS id, sum(gain) FILTER (WHERE code LIKE '\(SystemAccount.coinsExpired.rawValue)/%')
                    AS expired,
                sum(gain) FILTER (WHERE code LIKE '\(SystemAccount.breakage.rawValue)/%') AS breakage
            FROM (
                SELECT posting.journal_entry_id, account.code,
                    CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END AS gain
                FROM account
                JOIN posting ON posting.account_id = account.id
                WHERE account.owner IS NULL AND (code LIKE '\(SystemAccount.coinsExpired.rawValue)/%'
                    OR code LIKE '\(SystemAccount.breakage.rawValue)/%')
            ) AS line
            GROUP BY journal_entry_id
        ) AS posted ON posted.id = moved.id
        WHERE moved.expired <> coalesce(posted.expired, 0)
            OR abs(moved.breakage - coalesce(posted.breakage, 0)) > coalesce(moved.tax, 0)
        """
}
