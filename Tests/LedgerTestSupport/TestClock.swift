public import Foundation
public import Ledger
import Postgres

/// A clock that a test sets, and that a ledger's sessions read instead of the database's own.
///
/// It goes on from where it was set. The engine takes its time from its database session; there, functions of these names
/// are found before PostgreSQL's own, so nothing of the engine is changed or told.
public struct TestClock: Sendable {
    private let test: TestLedger

    /// Puts a clock into the test's database.
    public init(in test: TestLedger, at moment: Date) async throws {
        self.test = test
        try await test.execute(
            """
            CREATE SCHEMA test_clock;
            CREATE TABLE test_clock.hand (shown timestamptz NOT NULL, set_at timestamptz NOT NULL);
            INSERT INTO test_clock.hand VALUES (now(), now());
            CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql
            AS 'SELECT shown + (pg_catalog.clock_timestamp() - set_at) FROM test_clock.hand';
            CREATE FUNCTION test_clock.now() RETURNS timestamptz LANGUAGE sql STABLE
            AS 'SELECT shown + (pg_catalog.now() - set_at) FROM test_clock.hand';
            GRANT USAGE ON SCHEMA test_clock TO PUBLIC;
            GRANT SELECT ON test_clock.hand TO PUBLIC;
            """)
        try await set(to: moment)
    }

    /// Sets it.
    public func set(to moment: Date) async throws {
        let stamp = moment.formatted(.iso8601)
        try await test.execute("UPDATE test_clock.hand SET shown = '\(stamp)', set_at = clock_timestamp()")
    }

    /// Opens the ledger as the service does, by this clock.
    public func open(writers: Int = 2) async throws -> Ledger {
        try await test.open(writers: writers, settings: ["search_path": "test_clock, pg_catalog, public"])
    }
}
