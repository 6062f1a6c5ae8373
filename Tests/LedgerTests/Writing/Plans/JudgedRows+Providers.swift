extension JudgedRows {
    static let providers: [JudgedRows] = [
        JudgedRows(
            "provider_terms",
            before: [
                terms("NULL"),
                """
                INSERT INTO account (id, stripe, code, owner, currency, normal_side)
                SELECT 7000000 + n, 0, 'payable:batch-' || n || '/0', 'batch-' || n, 'KRW', 'C'
                FROM generate_series(1, :rows) AS n
                """,
            ],
            judged: """
                INSERT INTO provider_terms (provider, share, role, withholding, set_by, product)
                SELECT 'batch-' || n, 5000, 'agent', 'none', 'x', 'p' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "provider_share",
            before: [terms("CASE n % 2 WHEN 0 THEN 'p' END"), entries(6_000_000, "capture", "'hold:' || n")],
            judged: share),
        JudgedRows(
            "provider_share", "that comes back",
            before: [
                terms("CASE n % 2 WHEN 0 THEN 'p' END"), share, back(5_700_000),
                entries(6_100_000, "capture_reversal", "'hold:' || n", reversing: 6_000_000),
            ],
            judged: """
                INSERT INTO provider_share (
                    journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at)
                SELECT 6100000 + n, 6000000 + n, 'batch-' || n, 0, 5200000 + n, 1, 1, now()
                FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "provider_repayment", before: [entries(6_000_000, "provider_repayment", "'provider:batch-' || n")],
            judged: """
                INSERT INTO provider_repayment (
                    journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at)
                SELECT 6000000 + n, 'batch-' || n, 0, 10, now(), 'x', now() FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "payout_entry",
            before: [
                entries(6_000_000, "payout", "'payout:5300000'"),
                """
                INSERT INTO payout (id, key, cut_off, proposed_by, status) OVERRIDING SYSTEM VALUE
                VALUES (5300000, 'batch', now(), 'x', 'paid')
                """,
                """
                INSERT INTO payout_part (payout_id, provider, stripe, amount)
                SELECT 5300000, 'batch-' || n, 0, 10 FROM generate_series(1, :rows) AS n
                """,
            ],
            judged: """
                INSERT INTO payout_entry (journal_entry_id, payout_id, provider, stripe, amount, tax)
                SELECT 6000000 + n, 5300000, 'batch-' || n, 0, 10, 0 FROM generate_series(1, :rows) AS n
                """),
    ]

    private static func terms(_ product: String) -> String {
        """
        INSERT INTO provider_terms (id, provider, share, role, withholding, set_by, set_at, product)
        OVERRIDING SYSTEM VALUE
        SELECT 5200000 + n, 'batch-' || n, 5000, 'agent', 'none', 'x', now(), \(product)
        FROM generate_series(1, :rows) AS n
        """
    }

    private static let share = """
        INSERT INTO provider_share (
            journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at, product)
        SELECT 6000000 + n, 6000000 + n, 'batch-' || n, 0, 5200000 + n, 10, 5, now(), CASE n % 2 WHEN 0 THEN 'p' END
        FROM generate_series(1, :rows) AS n
        """
}
