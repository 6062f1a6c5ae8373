import Foundation
import LedgerTestSupport
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// A judge's plans are made for whatever batch comes first, and kept: whatever the tables hold and the statistics say, it must
/// look up what it is asked about by key.
///
/// Each statement of each judge is carried out, and the server reports what each step of its plan had in hand
/// (`auto_explain`). A statement that compares each row with each, or reads a table, has more than its rows in hand.
@Suite(.timeLimit(.minutes(20))) struct JudgePlanTests {
    /// The size of the judged batches: a plan that compares each row with each has 16,384 pairs in hand.
    private static let batch = 128
    /// The rows of each large table.
    private static let filling = 20_000

    @Test(arguments: [false, true])
    func `judges look up by key on empty tables, and with the plans of empty tables on large ones`(
        isAnalyzedEmpty: Bool
    ) async throws {
        try await Self.withJudges { judges in
            if isAnalyzedEmpty { try await judges.execute("ANALYZE") }
            try await judges.expectKeys(rows: [1, Self.batch], "empty")
            try await judges.fill(Self.filling)
            try await judges.expectKeys(rows: [Self.batch], "grown since")
            try await judges.execute("ANALYZE")
            try await judges.expectKeys(rows: [1, Self.batch], "analyzed")
        }
    }

    @Test func `judges look up by key on large tables that were never analyzed`() async throws {
        try await Self.withJudges { judges in
            try await judges.fill(Self.filling)
            try await judges.expectKeys(rows: [1, Self.batch], "never analyzed")
        }
    }

    @Test(.enabled(if: Effort.includesSlow)) func `judges look up by key on tables of a million rows`() async throws {
        try await Self.withJudges { judges in
            try await judges.expectKeys(rows: [1], "empty")
            try await judges.fill(1_000_000)
            try await judges.expectKeys(rows: [Self.batch], "grown since")
            try await judges.execute("ANALYZE")
            try await judges.expectKeys(rows: [1, Self.batch], "analyzed")
        }
    }

    @Test func `the rows are of every table that a judge looks at as a whole`() async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let judged = try await connection.run(
                PostgresQuery<[String]>(
                    "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE tgnewtable IS NOT NULL"
                ) { row in try row[0] })
            await connection.close()
            #expect(judged.count >= 23)
            #expect(Set(judged).subtracting(JudgedRows.all.map(\.table)) == [])
        }
    }

    private static func withJudges(_ body: (JudgeSession) async throws -> Void) async throws {
        try await TestLedger.withDatabase { test in
            // Only the test may analyze.
            for table in ["account", "journal_entry", "lot", "posting", "purchase"] {
                try await test.execute("ALTER TABLE \(table) SET (autovacuum_enabled = off)")
            }
            let session = try await JudgeSession(test)
            do {
                try await body(session)
                await session.close()
            } catch {
                await session.close()
                throw error
            }
        }
    }
}

/// A session with a writer's settings, of which the server reports the plans.
private struct JudgeSession {
    private let connection: PostgresConnection
    private let plans: ExecutedPlans

    init(_ test: TestLedger) async throws {
        let plans = ExecutedPlans()
        var configuration = try test.database.configuration
        configuration.settings.merge(configuration.forWriting.settings) { _, ours in ours }
        configuration.statementTimeout = .seconds(1200)
        configuration.noticeHandler = { plans.add($0) }
        self.plans = plans
        connection = try await PostgresConnection.connect(configuration)
        try await connection.execute(
            """
            LOAD 'auto_explain';
            SET auto_explain.log_level = 'notice';
            SET auto_explain.log_format = 'json';
            SET auto_explain.log_analyze = on;
            SET auto_explain.log_timing = off;
            SET auto_explain.log_nested_statements = on;
            """)
    }

    func execute(_ sql: String) async throws { try await connection.execute(sql) }

    func fill(_ rows: Int) async throws {
        try await connection.execute("BEGIN; \(FilledTables.sql(rows: rows)); COMMIT")
    }

    func close() async { await connection.close() }

    /// Has each judge judge batches of these sizes.
    func expectKeys(rows sizes: [Int], _ state: String) async throws {
        for judged in JudgedRows.all {
            for size in sizes {
                let found = try await statements(of: judged, rows: size)
                let name = [judged.table, judged.note].compactMap(\.self).joined(separator: " ")
                #expect(!found.isEmpty, "\(name), \(state): no judge")
                for (text, inHand) in found where inHand > 16 * size + 64 {
                    Issue.record("\(name), \(state): \(inHand) rows in hand for \(size)\n\(text)")
                }
            }
        }
    }

    /// The judges' statements, each with the most rows that a step of its plan had in hand, all its executions together.
    private func statements(of judged: JudgedRows, rows: Int) async throws -> [String: Int] {
        func sized(_ sql: String) -> String { sql.replacing(":rows", with: "\(rows)") }
        // The entries of the transaction are told of: the triggers are off.
        try await connection.execute(
            """
            BEGIN;
            SET LOCAL session_replication_role = replica;
            SELECT FROM current_tally();
            UPDATE transaction_tally SET recorded_at = now() WHERE transaction_id = pg_current_xact_id();
            \(sized(judged.before.map { $0 + ";" }.joined(separator: "\n")))
            SET LOCAL session_replication_role = origin;
            SET LOCAL auto_explain.log_min_duration = 0
            """)
        _ = plans.takeAll()
        try await connection.execute(sized(judged.statement))
        let taken = plans.takeAll()
        try await connection.execute("ROLLBACK")
        var found: [String: Int] = [:]
        // The last one is the judged statement's own.
        for executed in try taken.map(ExecutedPlan.init(json:)).dropLast() {
            found[executed.text, default: 0] += executed.plan.rowsInHand
        }
        return found
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
        let steps: [Step]?

        private enum CodingKeys: String, CodingKey {
            case rows = "Actual Rows"
            case loops = "Actual Loops"
            case filtered = "Rows Removed by Filter"
            case notJoined = "Rows Removed by Join Filter"
            case rechecked = "Rows Removed by Index Recheck"
            case steps = "Plans"
        }

        /// The most rows that the step, or one below it, read or compared.
        var rowsInHand: Int {
            let own = (rows + (filtered ?? 0) + (notJoined ?? 0) + (rechecked ?? 0)) * loops
            return (steps ?? []).map(\.rowsInHand).reduce(Int(own), max)
        }
    }
}
