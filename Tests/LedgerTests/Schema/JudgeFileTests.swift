import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What a file of `schema/judges` says: docs/upgrading.md, "Rules for migrations".
@Suite(.timeLimit(.minutes(20))) struct JudgeFileTests {
    /// So it can be applied again, and makes nobody wait.
    @Test func `a file creates or replaces functions, and says who may call them`() {
        for file in JudgeFile.all {
            for statement in Self.statements(of: file.sql) {
                let isAllowed =
                    statement.hasPrefix("CREATE OR REPLACE FUNCTION ")
                    || statement.contains(#/^REVOKE ALL ON FUNCTION [^()]+ FROM PUBLIC$/#)
                    || statement.contains(#/^GRANT EXECUTE ON FUNCTION [^()]+ TO ledgerd_service$/#)
                #expect(isAllowed, "\(file.title): \(statement)")
            }
        }
    }

    @Test func `every function of the database is in one file`() async throws {
        let written = JudgeFile.all.flatMap { file in
            file.sql.matches(of: #/(?m)^CREATE OR REPLACE FUNCTION (\w+)\(/#).map { String($0.output.1) }
        }
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let functions = try await connection.run(
                PostgresQuery<[String]>(
                    """
                    SELECT proname::text FROM pg_proc
                    WHERE pronamespace = 'public'::regnamespace
                        -- The constructors of a range type are PostgreSQL's own.
                        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'i')
                    ORDER BY proname COLLATE "C"
                    """
                ) { row in try row.decode(0, as: String.self) })
            await connection.close()
            #expect(functions == written.sorted())
        }
    }

    @Test func `a file that is applied twice changes nothing`() async throws {
        try await TestLedger.withDatabase { test in
            let state = """
                SELECT coalesce(sum(hashtextextended(concat_ws('/', proname, prosrc, proconfig, proacl), 0) % 1000000007), 0)
                    ::int8
                FROM pg_proc WHERE pronamespace = 'public'::regnamespace
                """
            let before = try await test.number(state)
            try await test.execute("DELETE FROM judge_file")
            let migrator = Migrator(configuration: try test.database.configuration)
            #expect(try await migrator.migrate().judges.count == JudgeFile.all.count)
            #expect(try await test.number(state) == before)
        }
    }

    /// The statements in one line each, without comments and bodies of functions.
    private static func statements(of sql: String) -> [String] {
        sql.replacing(#/(?s)\$(\w*)\$.*?\$\1\$/#, with: "''")
            .replacing(#/--[^\n]*/#, with: "")
            .split(separator: ";")
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }
}
