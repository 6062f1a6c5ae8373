/// The chain, events, settlements and adjustments.
extension JudgedRows {
    static let others: [JudgedRows] = [
        JudgedRows(
            "chain_link",
            judged: """
                INSERT INTO chain_link (
                    id, first_position, last_position, transaction_id, entry_id, previous_hash, hash, totals)
                SELECT last + n, last + n, last + n, '900000000', last + n, sha256('x'), sha256('x'), '{}'
                FROM (SELECT coalesce(max(id), 0) AS last FROM chain_link) AS before, generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "event",
            judged: """
                INSERT INTO event (seq, id, type)
                SELECT last + n, 6000000 + n, 'x'
                FROM (SELECT coalesce(max(seq), 0) AS last FROM event) AS before, generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "settlement_row",
            before: [
                purchase, entries(6_000_000, "settlement", "'purchase:' || 5500000 + n"), settlementFile,
                settlementRows("waiting"),
            ],
            judged: """
                UPDATE settlement_row SET status = 'settled', purchase_id = 5500000 + line, journal_entry_id = 6000000 + line,
                    settled_at = now()
                WHERE id BETWEEN 5400001 AND 5400000 + :rows
                """),
        JudgedRows(
            "settlement_dismissal", before: [settlementFile, settlementRows("unmatched")],
            judged: settlementDismissals),
        JudgedRows(
            "settlement_dismissal_check",
            before: [settlementFile, settlementRows("unmatched"), settlementDismissals],
            judged: """
                INSERT INTO settlement_dismissal_check (row_id, payment, checked_by)
                SELECT 5400000 + n, 'batch-' || n, 'y' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "adjustment_cohort",
            judged: """
                INSERT INTO adjustment_cohort (
                    adjustment_id, sold_in, purchases, sold, refunded, used, expired, deferred, target)
                SELECT 5100000 + n, '2026-01', 1, 0, 0, 0, 0, 0, 0 FROM generate_series(1, :rows) AS n
                """),
    ]

    private static let settlementFile = """
        INSERT INTO settlement_file (id, sha256, name, imported_by) OVERRIDING SYSTEM VALUE
        VALUES (5400000, sha256('batch'), 'x', 'x')
        """

    private static let settlementDismissals = """
        INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by)
        SELECT 5400000 + n, 'batch-' || n, 'x', 'x' FROM generate_series(1, :rows) AS n
        """

    private static func settlementRows(_ status: String) -> String {
        """
        INSERT INTO settlement_row (
            id, file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status)
        OVERRIDING SYSTEM VALUE
        SELECT 5400000 + n, 5400000, n, 'batch-' || n, 100, 0, 0, 100, '2026-01-01', now(), 1, '\(status)'
        FROM generate_series(1, :rows) AS n
        """
    }
}
