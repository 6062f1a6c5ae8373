import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A judge's plans are made for whatever batch comes first, and kept: whatever the tables hold and the statistics say, it must
/// look up what it is asked about by key.
///
/// Each statement of each judge is carried out, and the server reports what each step of its plan had in hand
/// (`auto_explain`). A statement that compares each row with each, or reads a table, has more than its rows in hand.
/// ``KeptPlanTests`` does it with tables of 20,000 rows.
@Suite(.timeLimit(.minutes(20))) struct JudgePlanTests {
    /// The size of the judged batches: a plan that compares each row with each has 16,384 pairs in hand.
    static let batch = 128

    @Test(.enabled(if: Effort.includesSlow)) func `judges look up by key on tables of a million rows`() async throws {
        try await PlanSession.with { session in
            try await Self.expectKeys(session, rows: [1], "empty")
            try await session.fill(1_000_000)
            try await Self.expectKeys(session, rows: [Self.batch], "grown since")
            try await session.execute("ANALYZE")
            try await Self.expectKeys(session, rows: [1, Self.batch], "analyzed")
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

    /// A new ledger may begin with a full batch, and its statistics may say that all is empty.
    @Test func `postings look former ids up by key, with a plan of before the first merge`() async throws {
        let postings = sure(JudgedRows.all.first { $0.table == "posting" })
        try await PlanSession.with { session in
            try await session.execute("ANALYZE")
            try await Self.expectKeys(session, postings, rows: Self.batch, "empty")
            try await session.beside {
                try await $0.execute(
                    """
                    INSERT INTO user_alias (former, former_stripe, user_id, stripe)
                    SELECT 'former-' || n, 0, 'filler-' || n, 0 FROM generate_series(1, 20000) AS n
                    """)
            }
            try await Self.expectKeys(session, postings, rows: Self.batch, "merged since")
        }
    }

    /// Has each judge judge batches of these sizes.
    static func expectKeys(_ session: PlanSession, rows sizes: [Int], _ state: String) async throws {
        for judged in JudgedRows.all {
            for size in sizes { try await expectKeys(session, judged, rows: size, state) }
        }
    }

    private static func expectKeys(
        _ session: PlanSession, _ judged: JudgedRows, rows size: Int, _ state: String
    ) async throws {
        let found = try await session.statements(judging: judged, rows: size)
        let name = [judged.table, judged.note].compactMap(\.self).joined(separator: " ")
        #expect(!found.isEmpty, "\(name), \(state): no judge")
        // Rows of earlier rounds were rolled back, and a bitmap has them, too: of an account, one for each purchase.
        for (text, inHand) in found where inHand > 100 * size + 64 {
            Issue.record("\(name), \(state): \(inHand) rows in hand for \(size)\n\(text)")
        }
    }
}
