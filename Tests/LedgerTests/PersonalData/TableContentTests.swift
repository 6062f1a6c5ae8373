import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// What the declaration says of the tables, compared with the database.
@Suite(.timeLimit(.minutes(20))) struct TableContentTests {
    @Test func `every column of text, JSON or bytes says once what it has of people`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            let columns = try await owner.run(
                Self.texts(
                    """
                    SELECT table_name || '.' || column_name FROM information_schema.columns
                    JOIN information_schema.tables USING (table_schema, table_name)
                    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
                        AND udt_name IN ('text', 'jsonb', 'json', 'bytea', 'varchar', 'bpchar', '_text', '_jsonb', '_bytea')
                    """))
            await owner.close()
            let declared = TableContent.all.flatMap { table in table.allColumns.map { "\(table.table).\($0)" } }
            #expect(Set(declared).count == declared.count, "a column is declared twice")
            #expect(Set(columns).subtracting(declared).sorted() == [], "say in TableContent.all what these have")
            #expect(Set(declared).subtracting(columns).sorted() == [], "there are no such columns")
        }
    }

    /// A table of facts about a hold, a lot or a purchase is told of by that.
    @Test func `a table that refers to a user's row is a user's`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            let tables = try await owner.run(
                Self.texts(
                    """
                    SELECT DISTINCT table_name FROM information_schema.columns
                    JOIN information_schema.tables USING (table_schema, table_name)
                    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN (
                        'user_id', 'owner', 'provider', 'purchase_id', 'lot_id', 'hold_id', 'refund_id', 'dispute_id', 'account_id')
                    """))
            await owner.close()
            let ofUsers = TableContent.all.filter { $0.rowsOfUser != nil }.map(\.table)
            #expect(tables.count > 20 && Set(tables).subtracting(ofUsers).sorted() == [])
        }
    }

    private static func texts(_ sql: String) -> PostgresQuery<[String]> { PostgresQuery(sql) }
}
