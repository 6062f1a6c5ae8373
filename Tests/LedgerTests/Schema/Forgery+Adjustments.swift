extension Forgery {
    static let adjustments = [
        Forgery(
            "expected breakage of no adjustment",
            entry("spend") + post("coins:expected-breakage/*", "revenue:expected-breakage/*")),
        Forgery(
            "revenue of no adjustment", entry("spend") + post("coins:deferred-bonus/*", "revenue:bonus-allocation/*")),
        Forgery(
            "an entry of no adjustment",
            entry("adjustment", "adjustment:1") + post("coins:expected-breakage/*", "revenue:expected-breakage/*")),
        Forgery(
            "an adjustment that books nothing although the policy asks for more",
            """
            INSERT INTO adjustment_cohort SELECT 900001, '2001-01', 0, 0, 0, 0, 0, 0, NULL, 5;
            INSERT INTO adjustment (
                id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, adjusted_by, recorded_at)
            SELECT 900001, subject, month, ends_at, breakage_policy_id, bonus_policy_id, 5, 0, 'eve', now()
            FROM adjustment WHERE subject = 'breakage'
            """, "adjustment_fits_policy"),
        Forgery(
            "an adjustment that its cohorts do not explain",
            """
            INSERT INTO adjustment (
                id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, adjusted_by, recorded_at)
            SELECT 900001, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, 0, 'eve', now()
            FROM adjustment WHERE subject = 'breakage'
            """, "adjustment_fits_policy"),
        Forgery(
            "an adjustment of five billion won by an invented cohort",
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT 900001, 0, 'adjustment', 'adjustment:900002', ends_at - interval '1 microsecond', now()
            FROM adjustment WHERE subject = 'breakage';
            """ + post("coins:expected-breakage/0", "revenue:expected-breakage/0", 5_000_000_000)
                + measure("breakage") + """
                    INSERT INTO adjustment_cohort
                    SELECT 900002, '2001-01', \(measured("purchases")), 2 * (target + 5000000000), 0, target + 5000000000,
                        0, target + 5000000000, NULL, target + 5000000000
                    FROM adjustment WHERE subject = 'breakage';
                    INSERT INTO adjustment (
                        id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount,
                        journal_entry_id, adjusted_by, recorded_at, basis_id)
                    SELECT 900002, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target + 5000000000,
                        5000000000, 900001, 'eve', now(), \(measured("id"))
                    FROM adjustment WHERE subject = 'breakage'
                    """, "adjustment_fits_basis"),
        Forgery(
            "an adjustment by sales that were not made",
            measure("bonus") + adjustAgain("bonus", basis: measured("id"), sold: "sold + 100", used: "used + 100"),
            "adjustment_fits_basis"),
        Forgery(
            "an adjustment of more breakage than its cohort defers",
            measure("breakage")
                + adjustAgain(
                    "breakage", basis: measured("id"), deferred: "target - 1",
                    used: "used + deferred - target + 1"),
            "adjustment_fits_basis"),
        Forgery(
            "an adjustment by nothing that was measured", adjustAgain("bonus", basis: "NULL"), "adjustment_fits_basis"),
        Forgery(
            "an adjustment by what was measured where the month ends later",
            measure("bonus", in: "Etc/GMT+12") + adjustAgain("bonus", basis: measured("id")), "adjustment_fits_basis"),
        Forgery(
            "a policy that starts in another month than its own",
            """
            INSERT INTO accounting_policy (subject, method, month, starts_at, set_by)
            SELECT 'bonus', 'none', '2099-01', starts_at, 'eve' FROM accounting_policy LIMIT 1
            """, "accounting_policy_starts_with_month"),
        Forgery(
            "a cohort of an adjustment of before",
            "INSERT INTO adjustment_cohort SELECT id, '2001-01', 0, 0, 0, 0, 0, 0, NULL, 0 FROM adjustment LIMIT 1",
            "adjustment_cohort_comes_first"),
        Forgery(
            "a policy of a month that is adjusted",
            """
            INSERT INTO accounting_policy (subject, method, month, starts_at, set_by)
            SELECT 'bonus', 'none', month, starts_at, 'eve' FROM accounting_policy LIMIT 1
            """, "accounting_policy_before_adjustment"),
    ]

    /// Has the database measure the month of a subject's adjustment.
    private static func measure(_ subject: String, in zone: String = "GMT") -> String {
        """
        INSERT INTO adjustment_basis (month, zone) SELECT month, '\(zone)' FROM adjustment WHERE subject = '\(subject)';
        """
    }

    /// A column of the last measurement.
    private static func measured(_ column: String) -> String {
        "(SELECT \(column) FROM adjustment_basis ORDER BY measured_at DESC LIMIT 1)"
    }

    /// A subject's adjustment once more, which books nothing, with other figures of its cohorts.
    private static func adjustAgain(
        _ subject: String, basis: String, sold: String = "sold", deferred: String = "deferred", used: String = "used"
    ) -> String {
        """
        INSERT INTO adjustment_cohort
        SELECT 900002, sold_in, purchases, \(sold), refunded, \(used), expired, \(deferred), allocated, target
        FROM adjustment_cohort
        WHERE adjustment_id = (SELECT id FROM adjustment WHERE subject = '\(subject)');
        INSERT INTO adjustment (
            id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, adjusted_by, recorded_at,
            basis_id)
        SELECT 900002, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, 0, 'eve', now(), \(basis)
        FROM adjustment WHERE subject = '\(subject)'
        """
    }
}
