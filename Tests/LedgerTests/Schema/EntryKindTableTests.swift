import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// The table `entry_kind`, in which the judges read what they ask of a kind.
@Suite(.timeLimit(.minutes(20))) struct EntryKindTableTests {
    @Test func `the database, its rule of kinds and the code know the same kinds`() async throws {
        try await TestLedger.withDatabase { test in
            let known = EntryKind.allCases.map(\.rawValue).sorted()
            let owner = try await test.connectAsOwner()
            let rows = try await owner.run(
                Self.texts("SELECT kind FROM entry_kind ORDER BY kind COLLATE \"C\""))
            let allowed = try await owner.run(
                Self.texts(
                    """
                    SELECT word[1] FROM pg_constraint
                    CROSS JOIN regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''::text', 'g') AS word
                    WHERE conname = 'journal_entry_kind_known' ORDER BY word[1] COLLATE "C"
                    """))
            await owner.close()
            #expect(rows == known)
            #expect(allowed == known)
        }
    }

    @Test func `a fact of a kind is a table`() async throws {
        try await TestLedger.withDatabase { test in
            let facts = try await test.number("SELECT count(*) FROM entry_kind WHERE fact IS NOT NULL")
            let tables = try await test.number("SELECT count(to_regclass(fact)) FROM entry_kind")
            #expect(facts > 10 && tables == facts)
        }
    }

    /// A row that is missing makes no judge weaker.
    @Test func `entries of a kind that has no row are refused`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            #expect(try await owner.refusal(ofTransaction: HandMade().sql) == nil)
            try await owner.execute("DELETE FROM entry_kind WHERE kind = 'grant'")
            let refused = try await owner.refusal(ofTransaction: HandMade().sql)
            await owner.close()
            #expect(refused?.constraint == "transaction_facts_agree", "\(refused?.description ?? "was done")")
        }
    }

    private static func texts(_ sql: String) -> PostgresQuery<[String]> {
        PostgresQuery(sql) { row in try row.decode(0, as: String.self) }
    }
}
