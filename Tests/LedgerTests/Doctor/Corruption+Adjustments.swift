extension Corruption {
    static let adjustments = [
        Corruption(
            "adjusted_balance_differs",
            """
            UPDATE account SET debits = debits + 1, credits = credits + 2 WHERE code = 'coins:expected-breakage/1'
            """),
        Corruption("adjusted_balance_differs", "UPDATE adjustment SET target = target + 1 WHERE subject = 'bonus'"),
        Corruption(
            "adjustment_misfits_entry",
            """
            UPDATE journal_entry SET effective_at = effective_at - interval '1 day' WHERE kind = 'adjustment'
            """),
        Corruption("adjustment_misfits_entry", "DELETE FROM adjustment WHERE subject = 'bonus'"),
        Corruption(
            "adjustment_misfits_entry",
            """
            UPDATE posting SET side = CASE side WHEN 'D' THEN 'C' ELSE 'D' END
            WHERE journal_entry_id = \(entry("adjustment"))
            """),
        Corruption("adjustment_out_of_order", "UPDATE adjustment SET amount = amount + 1 WHERE subject = 'breakage'"),
        Corruption(
            "adjustment_misfits_policy",
            """
            INSERT INTO accounting_policy (subject, method, month, starts_at, set_by)
            SELECT 'bonus', 'none', month, starts_at, 'eve' FROM accounting_policy ORDER BY month LIMIT 1
            """),
        Corruption(
            "adjustment_misfits_cohorts",
            """
            UPDATE adjustment_cohort SET used = used + 900, deferred = deferred - 900 WHERE allocated IS NULL
            """),
        Corruption("adjustment_misfits_cohorts", "UPDATE adjustment_cohort SET allocated = allocated + 1"),
        Corruption("adjustment_misfits_cohorts", "UPDATE accounting_policy SET expected = 50 WHERE expected = 100"),
        Corruption("adjustment_misfits_cohorts", "DELETE FROM adjustment_cohort WHERE allocated IS NOT NULL"),
        Corruption(
            "adjustment_misfits_basis",
            """
            INSERT INTO adjustment_cohort
            SELECT id, '2001-01', 0, 10000000000, 0, 10000000000, 0, 0, NULL, 0 FROM adjustment WHERE subject = 'breakage'
            """),
        Corruption(
            "adjustment_misfits_basis",
            "UPDATE adjustment_cohort SET deferred = deferred - 1, used = used + 1 WHERE allocated IS NOT NULL"),
        Corruption("adjustment_misfits_basis", "UPDATE adjustment SET basis_id = 5"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET purchases = purchases + 1"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET sold = sold + 1"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET deferred = deferred + 5000000000"),
        Corruption("adjustment_basis_differs", "UPDATE adjustment_basis SET expired = expired + 1"),
        Corruption(
            "adjustment_cohort_differs", "UPDATE adjustment_cohort SET refunded = refunded + 1, used = used - 1"),
        Corruption(
            "adjustment_cohort_differs", "UPDATE adjustment_cohort SET sold = sold + 900, used = used + 900"),
        Corruption("adjustment_cohort_differs", "UPDATE adjustment_cohort SET sold_in = '2001-01'"),
        Corruption("adjustment_cohort_differs", "UPDATE adjustment_cohort SET allocated = allocated + 1"),
    ]
}
