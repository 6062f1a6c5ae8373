package import Foundation
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
        let diagnosis = try await Doctor(.unhurried(test.ownerURL)).examine(Doctor.Check.books)
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

    /// The time by the database's clock.
    package func databaseTime() async throws -> Date {
        let connection = try await connectAsOwner()
        let moment = try await connection.run(PostgresQuery<Date>.one("SELECT clock_timestamp()") { row in try row[0] })
        await connection.close()
        return moment
    }

    /// Executes statements as the superuser.
    package func execute(_ sql: String) async throws {
        let connection = try await database.connect()
        try await connection.execute(sql)
        await connection.close()
    }

    /// How many rows and index entries of the ledger's tables the server reads meanwhile.
    ///
    /// A session tells of its reads at the latest when it ends, so the work must end its own, and these are awaited. What
    /// other sessions read before may be reported now.
    ///
    /// - Parameter application: how the names of the work's sessions end.
    package func rowsRead(
        bySessions application: String = "", during work: () async throws -> Void
    ) async throws -> Int64 {
        let read = """
            SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)::int8
                + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)::int8
            """
        let before = try await number(read)
        try await work()
        try await eventually("the sessions have ended") {
            try await number(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
                    AND application_name LIKE '%\(application)'
                """) == 0
        }
        return try await number(read) - before
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

    /// From here on no vacuum comes by of itself.
    package func stopAutovacuum(of tables: [String]) async throws {
        for table in tables { try await execute("ALTER TABLE \"\(table)\" SET (autovacuum_enabled = off)") }
    }

    /// Summarises the block ranges of all BRIN indexes, as autovacuum does when it comes by: until then, each look-up
    /// reads all new ranges, so that what a statement reads would depend on when a worker had time.
    ///
    /// - Returns: how many ranges were not summarised before.
    @discardableResult package func summariseBlockRanges() async throws -> Int64 {
        let connection = try await database.connect()
        let ranges = try await connection.run(
            PostgresQuery<Int64>.one(
                """
                SELECT coalesce(sum(brin_summarize_new_values(index.oid)), 0)::int8 FROM pg_class AS index
                JOIN pg_am ON pg_am.oid = index.relam
                WHERE pg_am.amname = 'brin' AND index.relnamespace = 'public'::regnamespace
                """
            ) { row in try row[0] })
        await connection.close()
        return ranges
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
