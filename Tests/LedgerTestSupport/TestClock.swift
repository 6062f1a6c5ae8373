package import Foundation
package import Ledger

/// A clock that a test sets, and that all who use its database read instead of PostgreSQL's own.
///
/// It stands still until it is set again. The engine, the doctor and the binary take their time from their database
/// sessions; in those that begin once the clock is there, functions of these names are found before PostgreSQL's. Columns
/// that default to the time have it from here, too. So no code has to know of it.
package struct TestClock: Sendable {
    private let test: TestLedger

    /// Puts a clock into the test's database.
    package init(in test: TestLedger, at moment: Date) async throws {
        self.test = test
        try await test.execute(
            """
            CREATE SCHEMA test_clock;
            CREATE TABLE test_clock.hand (shows timestamptz NOT NULL);
            INSERT INTO test_clock.hand VALUES (now());
            CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
            AS 'SELECT shows FROM test_clock.hand';
            CREATE FUNCTION test_clock.now() RETURNS timestamptz LANGUAGE sql STABLE
            AS 'SELECT shows FROM test_clock.hand';
            GRANT USAGE ON SCHEMA test_clock TO PUBLIC;
            GRANT SELECT ON test_clock.hand TO PUBLIC;
            ALTER DATABASE "\(test.database.name)" SET search_path = test_clock, pg_catalog, public;
            \(Self.defaults)
            \(Self.timed)
            """)
        try await set(to: moment)
    }

    private static let defaults = """
        DO $$
        DECLARE one record;
        BEGIN
            FOR one IN
                SELECT table_name, column_name FROM information_schema.columns
                WHERE table_schema = 'public' AND column_default IN ('now()', 'clock_timestamp()')
            LOOP
                EXECUTE format(
                    'ALTER TABLE public.%I ALTER %I SET DEFAULT test_clock.now()', one.table_name, one.column_name);
            END LOOP;
        END
        $$;
        """

    /// These functions take their time themselves, and look for names in a path of their own.
    private static let timed = """
        DO $$
        DECLARE one record;
        BEGIN
            FOR one IN
                SELECT oid::regprocedure AS name FROM pg_proc
                WHERE proname IN ('credit_purchase', 'credit_purchases', 'start_top_ups', 'credit_top_ups', 'agree_to_top_up',
                    'revoke_top_up', 'ask_for_top_up', 'withdraw_top_up', 'fail_top_up', 'create_campaign', 'add_campaign_users',
                    'advance_campaign', 'claim_campaign', 'approve_campaign', 'pause_campaign', 'void_campaign',
                    'ask_to_forget', 'cancel_forgetting', 'judge_forgetting', 'open_of_user', 'forget_user', 'end_kept_ids')
            LOOP
                EXECUTE format(
                    'ALTER FUNCTION %s SET search_path = test_clock, pg_catalog, public, pg_temp', one.name);
            END LOOP;
        END
        $$;
        """

    /// Sets it.
    package func set(to moment: Date) async throws {
        try await test.execute("UPDATE test_clock.hand SET shows = '\(moment.formatted(.iso8601))'")
    }
}

extension TestLedger {
    /// Lends a new, open ledger with a clock that stands at a moment, and closes it afterwards.
    package static func with<Output>(
        at moment: Date, vat: VATSettings = .off, coinDays: CoinDays.Setting = .these(.exact),
        _ body: (Ledger, TestLedger, TestClock) async throws -> Output
    ) async throws -> Output {
        try await withDatabase { test in
            let clock = try await TestClock(in: test, at: moment)
            return try await with(test, vat: vat, coinDays: coinDays) { try await body($0, test, clock) }
        }
    }
}
