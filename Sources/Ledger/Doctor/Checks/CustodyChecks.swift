extension Doctor.Check {
    /// What finance entered of custodians is only added to, and the finding about it has a cause.
    static let custody: [Doctor.Check] = [
        Doctor.Check(
            "custody_finding_without_balance",
            proves: "custody is found too little only if finance has entered what custodians hold",
            sql: """
                SELECT 'finding:' || id AS subject, 'is open, but no custody balance was entered' AS detail
                FROM finding
                WHERE kinds = '{custody_short}' AND resolved_at IS NULL AND NOT EXISTS (SELECT FROM custody_balance)
                """),
        Doctor.Check(
            "custody_balance_out_of_order", proves: "custody balances were entered one after the other",
            sql: """
                SELECT 'custody_balance:' || id AS subject,
                    'was entered at ' || entered_at || ', the one before it at ' || before AS detail
                FROM (
                    SELECT id, entered_at, lag(entered_at) OVER (ORDER BY id) AS before FROM custody_balance
                ) AS entered
                -- Two that are entered at the same time may get their numbers in either order.
                WHERE entered_at < before - interval '1 minute'
                """),
    ]
}
