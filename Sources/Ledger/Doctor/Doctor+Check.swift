import Postgres

extension Doctor {
    /// One thing that must hold of the books, and the statement that finds where it does not.
    package struct Check: Sendable {
        /// The stable name of what it finds: `account_totals_differ`.
        package let code: String
        /// What it proves when it finds nothing.
        package let proves: String
        /// Selects `subject` and `detail` of each deviation.
        let sql: String

        init(_ code: String, proves: String, sql: String) {
            self.code = code
            self.proves = proves
            self.sql = sql
        }

        /// The first deviations, each with how many there are of all.
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

        /// A deviation, among how many.
        struct Found: Sendable {
            let deviation: Diagnosis.Deviation
            let count: Int64
        }
    }
}

extension Doctor.Check {
    /// Everything that is examined, in order.
    package static let all: [Doctor.Check] =
        journal + accounts + lots + holds + purchases + settlements + refunds + debts + idempotency + overdue

    /// What must hold at every moment, whatever the background services had time for.
    package static let books: [Doctor.Check] = all.filter { check in !overdue.contains { $0.code == check.code } }
}
