import Foundation
import LedgerTestSupport
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// A session with a writer's settings, to which the server reports the plan of each statement that it carries out, with what
/// each step had in hand (`auto_explain`).
struct PlanSession {
    private let ledger: TestLedger
    private let connection: PostgresConnection
    private let plans: ExecutedPlans

    /// Lends a session with a new ledger's database.
    static func with(_ body: (PlanSession) async throws -> Void) async throws {
        try await TestLedger.withDatabase { test in
            // Only the test may analyze.
            try await test.stopAutovacuum(of: FilledTables.all.map { $0.name })
            try await with(test) {
                try await $0.execute(switchedTriggers)
                // Without a threshold no crossing is looked for, without a consent no top-up is started or ended, and without a
                // campaign none is counted.
                try await $0.execute(
                    """
                    INSERT INTO balance_alert VALUES ('', '{1}', '{1}', 'shop');
                    INSERT INTO top_up (user_id, gateway, billing_key, product, threshold, monthly_limit, set_by)
                    VALUES ('filler', 'portone-v1', 'card', 'p', 1, 1, 'shop');
                    INSERT INTO top_up_charge (top_up_id, user_id, journal_entry_id)
                    SELECT id, user_id, 1 FROM top_up;
                    SET test.triggers = 'off';
                    INSERT INTO campaign_grant (lot_id, campaign_id, user_id, journal_entry_id, coins)
                    VALUES (1, 1, 'filler', 1, 1)
                    """)
            }
            try await with(test, body)
        }
    }

    /// Has all triggers ask a setting whether they are on, and drops foreign keys.
    ///
    /// `session_replication_role` would switch both off, too, and has PostgreSQL make all plans of the session anew.
    private static let switchedTriggers = """
        DO $$
        DECLARE
            is_on text := '(current_setting(''test.triggers'', true) IS DISTINCT FROM ''off'')';
            one record;
        BEGIN
            FOR one IN
                SELECT tgrelid::regclass AS owner, tgname, pg_get_triggerdef(oid) AS made
                FROM pg_trigger WHERE NOT tgisinternal
            LOOP
                EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.owner);
                EXECUTE CASE WHEN one.made LIKE '% WHEN (%' THEN replace(one.made, ' WHEN (', ' WHEN (' || is_on || ' AND ')
                    ELSE replace(one.made, ' EXECUTE FUNCTION ', ' WHEN (' || is_on || ') EXECUTE FUNCTION ') END;
            END LOOP;
            FOR one IN SELECT conrelid::regclass AS owner, conname FROM pg_constraint WHERE contype = 'f' LOOP
                EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.owner, one.conname);
            END LOOP;
        END
        $$
        """

    /// Lends a further session with the same database, which has no plans yet.
    func beside(_ body: (PlanSession) async throws -> Void) async throws { try await Self.with(ledger, body) }

    private static func with(_ ledger: TestLedger, _ body: (PlanSession) async throws -> Void) async throws {
        let session = try await PlanSession(ledger)
        do {
            try await body(session)
            await session.connection.close()
        } catch {
            await session.connection.close()
            throw error
        }
    }

    private init(_ test: TestLedger) async throws {
        let plans = ExecutedPlans()
        // The superuser may load the module.
        var configuration = try test.database.configuration
        configuration.settings.merge(configuration.forWriting.settings) { _, ours in ours }
        configuration.statementTimeout = .seconds(1200)
        configuration.noticeHandler = { plans.add($0) }
        self.plans = plans
        ledger = test
        connection = try await PostgresConnection.connect(configuration)
        try await connection.execute(
            """
            LOAD 'auto_explain';
            SET auto_explain.log_level = 'notice';
            SET auto_explain.log_format = 'json';
            SET auto_explain.log_analyze = on;
            SET auto_explain.log_timing = off;
            SET auto_explain.log_buffers = on;
            SET auto_explain.log_nested_statements = on
            """)
    }

    func execute(_ sql: String) async throws { try await connection.execute(sql) }

    /// Writes so many rows into each large table, in a session of its own: this one keeps its plans.
    func fill(_ rows: Int) async throws {
        try await beside { try await $0.execute("BEGIN; \(FilledTables.sql(rows: rows)); COMMIT") }
    }

    /// The statements that judges carry out for the rows, each with the most rows that a step of its plan had in hand, all its
    /// executions together.
    func statements(judging judged: JudgedRows, rows: Int) async throws -> [String: Int] {
        func sized(_ sql: String) -> String { sql.replacing(":rows", with: "\(rows)") }
        // Rows that no trigger judges. The tally knows when the transaction's entries were recorded.
        try await connection.execute(
            """
            BEGIN;
            SET LOCAL test.triggers = off;
            SELECT FROM current_tally();
            UPDATE transaction_tally SET recorded_at = now() WHERE transaction_id = pg_current_xact_id();
            \(sized(judged.before.map { $0 + ";" }.joined(separator: "\n")))
            SET LOCAL test.triggers = on;
            SET LOCAL auto_explain.log_min_duration = 0
            """)
        _ = plans.takeAll()
        try await connection.execute(sized(judged.statement))
        let taken = try plans.takeAll().map(ExecutedPlan.init(json:))
        try await connection.execute("ROLLBACK")
        // The last one is the judged statement's own.
        return taken.dropLast().reduce(into: [:]) { found, executed in
            found[executed.text, default: 0] += executed.plan.rowsInHand
        }
    }

    /// The most rows that a step of the statement's plan, or of one within it, has in hand, and the most pages that one of
    /// these plans reads.
    ///
    /// It is carried out once before: the planning of a statement within a function reads the catalog.
    func inHand<Output>(_ query: PostgresQuery<Output>) async throws -> (rows: Int, pages: Int) {
        let statement = PostgresQuery<Int>.affected(query.sql, query.parameters)
        _ = try await connection.run(statement)
        try await connection.execute("SET auto_explain.log_min_duration = 0")
        _ = plans.takeAll()
        _ = try await connection.run(statement)
        let taken = try plans.takeAll().map(ExecutedPlan.init(json:))
        try await connection.execute("SET auto_explain.log_min_duration = -1")
        #expect(!taken.isEmpty, "no plan of \(query.sql)")
        return (taken.map(\.plan.rowsInHand).max() ?? 0, taken.map(\.plan.pages).max() ?? 0)
    }
}

/// What the server reports of statements while they are carried out, which comes on the connection's thread.
private final class ExecutedPlans: Sendable {
    private let reports = Mutex<[String]>([])

    func add(_ notice: PostgresNotice) {
        guard let start = notice.message.firstIndex(of: "{") else { return }
        reports.withLock { $0.append(String(notice.message[start...])) }
    }

    /// The reports since the last time.
    func takeAll() -> [String] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}

private struct ExecutedPlan: Decodable {
    let text: String
    let plan: Step

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

    private enum CodingKeys: String, CodingKey {
        case text = "Query Text"
        case plan = "Plan"
    }

    struct Step: Decodable {
        let rows: Double
        let loops: Double
        let filtered: Double?
        let notJoined: Double?
        let rechecked: Double?
        let pagesInCache: Int?
        let pagesRead: Int?
        let steps: [Step]?

        private enum CodingKeys: String, CodingKey {
            case rows = "Actual Rows"
            case loops = "Actual Loops"
            case filtered = "Rows Removed by Filter"
            case notJoined = "Rows Removed by Join Filter"
            case rechecked = "Rows Removed by Index Recheck"
            case pagesInCache = "Shared Hit Blocks"
            case pagesRead = "Shared Read Blocks"
            case steps = "Plans"
        }

        /// The pages that the step and those below it looked at.
        ///
        /// A step that asks an index for a column that is not its first one looks at all pages of the index, and has no more
        /// rows in hand than it finds.
        var pages: Int { (pagesInCache ?? 0) + (pagesRead ?? 0) }

        /// The most rows that the step, or one below it, read or compared.
        var rowsInHand: Int {
            let own = (rows + (filtered ?? 0) + (notJoined ?? 0) + (rechecked ?? 0)) * loops
            return (steps ?? []).map(\.rowsInHand).reduce(Int(own), max)
        }
    }
}
