import LedgerTestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct BlockSummaryTests {
    /// Those that have block-range indexes.
    private static let tables = ["journal_entry", "posting", "purchase"]

    /// Writes blocks that only the test has summarised.
    private static func fill(_ test: TestLedger) async throws {
        try await test.stopAutovacuum(of: tables)
        try await test.execute(FilledTables.sql(rows: 20_000, into: tables))
    }

    @Test func `the service summarises the new blocks of all block-range indexes, and PostgreSQL none by itself`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            #expect(
                try await test.number(
                    "SELECT count(*) FROM pg_class WHERE reloptions::text LIKE '%autosummarize=on%'") == 0)
            try await Self.fill(test)
            #expect(try await ledger.journal.summariseBlocks() >= 3)
            #expect(try await ledger.journal.summariseBlocks() == 0)
            let left = try await test.summariseBlockRanges()
            #expect(left == 0, "an index that summarise_block_ranges() does not name")
        }
    }

    @Test func `a table that is vacuumed is left alone`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.fill(test)
            let vacuum = try await test.connectAsOwner()
            try await vacuum.execute("BEGIN; LOCK TABLE posting IN SHARE UPDATE EXCLUSIVE MODE")
            let others = try await ledger.journal.summariseBlocks()
            #expect(others > 0, "the other tables' blocks are summarised")
            try await vacuum.execute("ROLLBACK")
            await vacuum.close()
            #expect(try await ledger.journal.summariseBlocks() > 0)
        }
    }
}
