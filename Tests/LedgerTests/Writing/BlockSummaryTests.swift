import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct BlockSummaryTests {
    @Test func `the service summarises the new blocks of all block-range indexes, and PostgreSQL none by itself`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            #expect(
                try await test.number(
                    "SELECT count(*) FROM pg_class WHERE reloptions::text LIKE '%autosummarize=on%'") == 0)
            for table in ["journal_entry", "posting", "purchase"] {
                try await test.execute("ALTER TABLE \(table) SET (autovacuum_enabled = off)")
            }
            try await test.execute(FilledTables.sql(rows: 20_000))
            #expect(try await ledger.journal.summariseBlocks() >= 3)
            #expect(try await ledger.journal.summariseBlocks() == 0)
            let left = try await test.blockRangesToSummarise()
            #expect(left == 0, "an index that summarise_block_ranges() does not name")
        }
    }

    @Test func `a table that is vacuumed is left alone`() async throws {
        try await TestLedger.with { ledger, test in
            for table in ["journal_entry", "posting", "purchase"] {
                try await test.execute("ALTER TABLE \(table) SET (autovacuum_enabled = off)")
            }
            try await test.execute(FilledTables.sql(rows: 20_000))
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

extension TestLedger {
    /// How many ranges of blocks no block-range index has summarised; they are, afterwards.
    fileprivate func blockRangesToSummarise() async throws -> Int64 {
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
}
