import Postgres

extension Doctor {
    /// A rule that the books must follow, and the SQL statement that finds deviations from it.
    package struct Check: Sendable {
        /// The stable name of the deviation, such as `account_totals_differ`.
        package let code: String
        /// The statement that is true when the check finds nothing.
        package let proves: String
        /// Selects `subject` and `detail` of each deviation.
        let sql: String

        init(_ code: String, proves: String, sql: String) {
            self.code = code
            self.proves = proves
            self.sql = sql
        }

        /// The first deviations, each with the number of all.
        func deviations(limit: Int) -> PostgresQuery<[Found]> {
            PostgresQuery(
                """
                SELECT subject, detail, count(*) OVER () AS count
                FROM (
                \(sql)
                ) AS deviation
                ORDER BY subject, detail
                LIMIT $1
                """,
                [Int64(limit)]
            ) { row in
                Found(deviation: Diagnosis.Deviation(subject: try row[0], detail: try row[1]), count: try row[2])
            }
        }

        /// A deviation, and the number of all.
        struct Found: Sendable {
            let deviation: Diagnosis.Deviation
            let count: Int64
        }
    }
}

extension Doctor.Check {
    /// All checks, in order.
    package static let all: [Doctor.Check] =
        journal + facts + accounts + lots + holds + purchases + topUps + campaigns + settlements + vat + refunds
        + refundFacts + disputes + reversals + grantVoids + gifts + merges + providers + providerTerms + adjustments
        + debts + outcomes + records + events + endpoints + custody + rates + foreign + findings + forgotten + overdue

    /// The checks that must hold at every moment, independent of the background services.
    package static let books: [Doctor.Check] = all.filter { check in !overdue.contains { $0.code == check.code } }
}
