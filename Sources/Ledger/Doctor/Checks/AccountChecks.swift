extension Doctor.Check {
    /// Accounts agree with their postings.
    static let accounts: [Doctor.Check] = [
        Doctor.Check(
            "account_totals_differ", proves: "each account's totals are the sums of its postings",
            sql: """
                SELECT 'account:' || account.id AS subject,
                    'debits ' || account.debits || ' and credits ' || account.credits || ', posted '
                        || coalesce(posted.debits, 0) || ' and ' || coalesce(posted.credits, 0) AS detail
                FROM account
                LEFT JOIN (
                    SELECT account_id, sum(amount) FILTER (WHERE side = 'D') AS debits,
                        sum(amount) FILTER (WHERE side = 'C') AS credits
                    FROM posting
                    GROUP BY account_id
                ) AS posted ON posted.account_id = account.id
                WHERE account.debits <> coalesce(posted.debits, 0) OR account.credits <> coalesce(posted.credits, 0)
                """),
        Doctor.Check(
            "account_sequence_gap", proves: "each account's postings are numbered from 1 to its last, without gaps",
            sql: """
                SELECT 'account:' || account.id AS subject,
                    'last number ' || account.seq || ', but ' || coalesce(posted.count, 0) || ' postings up to number '
                        || coalesce(posted.last, 0) AS detail
                FROM account
                LEFT JOIN (
                    SELECT account_id, count(*) AS count, max(seq) AS last FROM posting GROUP BY account_id
                ) AS posted ON posted.account_id = account.id
                WHERE account.seq <> coalesce(posted.count, 0) OR account.seq <> coalesce(posted.last, 0)
                """),
        Doctor.Check(
            "running_balance_differs", proves: "each posting's balance is the previous one plus or minus its amount",
            sql: """
                SELECT 'posting:' || account_id || '/' || seq AS subject,
                    'balance ' || balance || ', computed ' || computed AS detail
                FROM (
                    SELECT posting.account_id, posting.seq, posting.balance,
                        lag(posting.balance::numeric, 1, 0::numeric) OVER earlier
                            + CASE posting.side WHEN account.normal_side THEN posting.amount ELSE -posting.amount END
                            AS computed
                    FROM posting
                    JOIN account ON account.id = posting.account_id
                    WINDOW earlier AS (PARTITION BY posting.account_id ORDER BY posting.seq)
                ) AS line
                WHERE balance <> computed
                """),
        Doctor.Check(
            "recorded_time_falls", proves: "each account's postings were recorded in the order of their numbers",
            sql: """
                SELECT 'posting:' || account_id || '/' || seq AS subject,
                    'recorded ' || before - recorded_at || ' before the previous posting' AS detail
                FROM (
                    SELECT posting.account_id, posting.seq, entry.recorded_at,
                        lag(entry.recorded_at) OVER (PARTITION BY posting.account_id ORDER BY posting.seq) AS before
                    FROM posting
                    JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                ) AS line
                WHERE recorded_at < before
                """),
        Doctor.Check(
            "account_time_differs", proves: "each account has the time when its last posting was recorded",
            sql: """
                SELECT 'account:' || account.id AS subject, 'its time is not the time of its last posting' AS detail
                FROM account
                LEFT JOIN posting ON posting.account_id = account.id AND posting.seq = account.seq
                LEFT JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                WHERE account.posted_at IS DISTINCT FROM entry.recorded_at
                """),
        Doctor.Check(
            "posting_misfits_account", proves: "each posting's account exists and has its currency and stripe",
            sql: """
                SELECT 'posting:' || posting.account_id || '/' || posting.seq AS subject,
                    CASE WHEN account.id IS NULL THEN 'its account does not exist'
                        ELSE 'its account has another currency or stripe' END AS detail
                FROM posting
                LEFT JOIN account ON account.id = posting.account_id
                WHERE account.id IS NULL OR account.currency <> posting.currency OR account.stripe <> posting.stripe
                """),
        Doctor.Check(
            "account_misfits_code", proves: "each account's owner, stripe, currency and normal side fit its code",
            sql: """
                SELECT 'account:' || account.id AS subject,
                    'its owner, stripe, currency or normal side does not fit its code' AS detail
                FROM account
                LEFT JOIN (\(chart)) AS chart
                    ON account.owner IS NULL AND account.code = chart.name || '/' || account.stripe
                WHERE CASE
                    WHEN account.owner IS NULL THEN chart.name IS NULL
                        OR account.currency <> chart.currency OR account.normal_side <> chart.normal_side
                    ELSE account.currency <> CASE WHEN account.code LIKE 'payable:%' THEN 'KRW' ELSE 'COIN' END
                        OR account.normal_side <> CASE WHEN account.code = 'debt:' || account.owner THEN 'D' ELSE 'C' END
                        OR account.code <> ALL (ARRAY[
                            'wallet:' || account.owner || ':paid', 'wallet:' || account.owner || ':bonus',
                            'held:' || account.owner || ':paid', 'held:' || account.owner || ':bonus',
                            'debt:' || account.owner, 'earnings:' || account.owner || '/' || account.stripe,
                            'payable:' || account.owner || '/' || account.stripe])
                    END
                """),
        Doctor.Check(
            "system_account_missing", proves: "every stripe has every system account",
            sql: """
                SELECT 'stripe:' || number AS subject, 'has no ' || chart.name AS detail
                FROM ledger
                CROSS JOIN generate_series(0, ledger.stripes - 1) AS number
                CROSS JOIN (\(chart)) AS chart
                WHERE NOT EXISTS (SELECT FROM account WHERE account.code = chart.name || '/' || number)
                """),
        Doctor.Check(
            "account_day_differs", proves: "the sums of each day and kind of account are those of its postings",
            sql: """
                SELECT 'account_day:' || zone || '/' || day || '/' || class AS subject,
                    'debits ' || coalesce(kept.debits, 0) || ' and credits ' || coalesce(kept.credits, 0) || ', posted '
                        || coalesce(posted.debits, 0) || ' and ' || coalesce(posted.credits, 0) AS detail
                FROM account_day AS kept
                FULL JOIN (
                    SELECT progress.zone, booked.class, booked.currency,
                        (booked.effective_at AT TIME ZONE progress.zone)::date AS day,
                        coalesce(sum(booked.amount) FILTER (WHERE booked.side = 'D'), 0) AS debits,
                        coalesce(sum(booked.amount) FILTER (WHERE booked.side = 'C'), 0) AS credits
                    FROM (
                        SELECT entry.transaction_id, entry.id, entry.effective_at, posting.side, posting.amount,
                            posting.currency, coalesce(\(AccountSQL.classification), '') AS class
                        FROM posting
                        LEFT JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                        LEFT JOIN account ON account.id = posting.account_id
                        OFFSET 0
                    ) AS booked
                    JOIN account_day_progress AS progress
                        ON (booked.transaction_id, booked.id) <= (progress.transaction_id, progress.entry_id)
                    GROUP BY 1, 2, 3, 4
                ) AS posted USING (zone, class, currency, day)
                WHERE coalesce(kept.debits, 0) <> coalesce(posted.debits, 0)
                    OR coalesce(kept.credits, 0) <> coalesce(posted.credits, 0)
                """),
    ]

    /// The system accounts and those of foreign currencies, as SQL rows.
    private static let chart = """
        SELECT * FROM (VALUES \(systemAccounts)) AS own (name, currency, normal_side)
        UNION ALL
        \(ForeignAccount.chartInSQL)
        """

    private static let systemAccounts = SystemAccount.allCases
        .map { "('\($0.rawValue)', '\($0.currency.code)', '\($0.normalSide.rawValue)')" }
        .joined(separator: ", ")
}
