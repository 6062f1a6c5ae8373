import Ledger
import Postgres
import TestSupport

/// What the doctor says of a test's books.
///
/// It reads them back and adds them up, knowing nothing of how they were written; that it finds what is wrong is shown by
/// `DoctorTests`, corruption by corruption.
package enum Audit {
    /// Everything that is wrong with the books.
    ///
    /// Tests put times where they like, so what is overdue is nothing wrong here.
    package static func problems(of test: TestLedger) async throws -> [String] {
        let diagnosis = try await Doctor(PostgresConfiguration(url: test.ownerURL)).examine(Doctor.Check.books)
        return diagnosis.findings.flatMap { finding in
            finding.deviations.map { "\(finding.code): \($0.subject): \($0.detail)" }
        }
    }
}

extension TestLedger {
    /// One number, asked of the database as its owner.
    package func number(_ sql: String) async throws -> Int64 {
        let connection = try await connectAsOwner()
        let number = try await connection.run(PostgresQuery<Int64>.one(sql) { row in try row[0] })
        await connection.close()
        return number
    }

    /// Executes statements as the superuser.
    package func execute(_ sql: String) async throws {
        let connection = try await database.connect()
        try await connection.execute(sql)
        await connection.close()
    }

    /// From here on the planner knows of the tables what it knows now, as if autovacuum did not keep up.
    package func freezeStatistics() async throws {
        try await execute(
            """
            DO $$
            DECLARE name text;
            BEGIN
                FOR name IN SELECT relname FROM pg_class
                    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                LOOP EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name); END LOOP;
            END $$;
            ANALYZE;
            """)
    }

    /// Returns as soon as a session of this database waits for a lock.
    package func waitUntilBlocked(sessions: Int64 = 1) async throws {
        let connection = try await database.connect()
        let waiting = PostgresQuery<Int64>.one(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ) { row in try row[0] }
        try await eventually("a session waits for a lock") { try await connection.run(waiting) >= sessions }
        await connection.close()
    }
}
