// MARK: - Refunds and debts

extension JudgedRows {
    static let refunds: [JudgedRows] = [
        JudgedRows(
            "refund", before: [purchase, entries(6_000_000, "refund_hold", "'refund:' || 5900000 + n")],
            judged: refund("'gateway', 'pending', NULL, NULL")),
        JudgedRows(
            "refund_decision",
            before: [
                purchase, refund("'gateway', 'pending', NULL, NULL"),
                entries(6_100_000, "refund_release", "'refund:' || 5900000 + n"),
            ],
            judged: """
                INSERT INTO refund_decision (journal_entry_id, refund_id, status, refusal)
                SELECT 6100000 + n, 5900000 + n, 'refused', 'x' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "refund_decision", "that takes a transfer back",
            before: [
                bought, purchase, entries(6_000_000, "refund", "'refund:' || 5900000 + n", reversing: 5_000_000),
                refund("'bank_transfer', 'approved', '{}', 6000000 + n"), finding("refunded_twice"),
                wentBack("refunded_amount = 10, refunded_coins = 10, transferred_amount = 10"),
                entries(6_100_000, "refund_reversal", "'refund:' || 5900000 + n", reversing: 6_000_000),
                reversal(6_100_000, "-10", isTransfer: true),
            ],
            judged: """
                INSERT INTO refund_decision (journal_entry_id, refund_id, status)
                SELECT 6100000 + n, 5900000 + n, 'reversed' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "debt_bank_payment", "of accounts with many postings",
            before: [entries(6_000_000, "debt_bank_payment", "'user:batch-' || n")]
                + busyAccounts(7_500_000, "'debt:batch-' || n", "D", entries: 6_000_000),
            judged: """
                INSERT INTO debt_bank_payment (journal_entry_id, user_id, coins, amount, paid_at, bank_reference)
                SELECT 6000000 + n, 'batch-' || n, 10, 100, now(), 'x' FROM generate_series(1, :rows) AS n
                """),
    ]

    /// Refunds of ten coins; with the values of method, status, taken, reversal_entry_id.
    private static func refund(_ values: String) -> String {
        """
        INSERT INTO refund (id, stripe, purchase_id, user_id, coins, bonus_coins, value, fee, amount, currency, explanation,
            believed_balance, journal_entry_id, reason, requested_at, next_attempt_at, method, status, taken,
            reversal_entry_id)
        SELECT 5900000 + n, 0, 5500000 + n, 'batch-' || n, 10, 0, 10, 0, 10, 'KRW', 'x', 100, 6000000 + n, 'x', now(), now(),
            \(values)
        FROM generate_series(1, :rows) AS n
        """
    }

    private static func finding(_ kind: String) -> String {
        """
        INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, amount, currency)
        SELECT ARRAY['\(kind)'], 'g', 'batch-' || n, 'batch-' || n, 100, 'KRW' FROM generate_series(1, :rows) AS n
        """
    }
}

// MARK: - Disputes

extension JudgedRows {
    static let disputes: [JudgedRows] = [
        JudgedRows("dispute", before: [purchase], judged: dispute),
        JudgedRows(
            "dispute_decision", before: clawedBack + [dispute, finding("payment_disputed")],
            judged: decision("lost", 6_000_000)),
        JudgedRows(
            "dispute_decision", "that gives back", before: lost + [win] + givenBack, judged: decision("won", 6_100_000)),
        JudgedRows("dispute_win", before: lost, judged: win),
        JudgedRows(
            "coin_freeze",
            before: [purchase, entries(6_000_000, "dispute_hold", "'purchase:' || 5500000 + n"), dispute],
            judged: """
                INSERT INTO coin_freeze (journal_entry_id, purchase_id, act, coins, bonus_coins)
                SELECT 6000000 + n, 5500000 + n, 'hold', 1, 0 FROM generate_series(1, :rows) AS n
                """),
    ]

    private static let dispute = """
        INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
        SELECT 5950000 + n, 0, 5500000 + n, 'batch-' || n, now(), 'x', now() FROM generate_series(1, :rows) AS n
        """

    private static let lost =
        clawedBack + [
            dispute, finding("payment_disputed"), decision("lost", 6_000_000),
            "UPDATE dispute SET status = 'lost', decided_at = now() WHERE id BETWEEN 5950001 AND 5950000 + :rows",
        ]

    private static let givenBack =
        [clawBackReversal, reversal(6_100_000, "-10")]
        + busyAccounts(7_000_000, "'wallet:batch-' || n || ':paid'", "C", entries: 6_100_000)

    private static let win = """
        INSERT INTO dispute_win (dispute_id, resolved_at, recorded_at)
        SELECT 5950000 + n, now(), now() FROM generate_series(1, :rows) AS n
        """

    private static func decision(_ outcome: String, _ entries: Int) -> String {
        """
        INSERT INTO dispute_decision (
            dispute_id, outcome, decided_at, decided_by, reason, amount, journal_entry_id, recorded_at)
        SELECT 5950000 + n, '\(outcome)', now(), 'x', 'x', 10, \(entries) + n, now() FROM generate_series(1, :rows) AS n
        """
    }
}
