import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct SchemaFileTests {
    /// The file is for people: the schema as schema/ and the migrations leave it, in one piece.
    @Test func `docs schema sql is what the schema and the migrations make`() async throws {
        try await TestLedger.withDatabase { test in
            let schema = try Self.dump(test.database)
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/schema.sql")
            if ProcessInfo.processInfo.environment["LEDGERD_UPDATE_SCHEMA"] == "1" {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try schema.write(to: file, atomically: true, encoding: .utf8)
            }
            let committed = try String(contentsOf: file, encoding: .utf8)
            let different = zip(committed.split(separator: "\n"), schema.split(separator: "\n")).first { $0 != $1 }
            #expect(
                committed == schema,
                """
                docs/schema.sql is not what schema/ and the migrations make; first difference: \(String(describing: different)). \
                LEDGERD_UPDATE_SCHEMA=1 ./dev test SchemaFileTests writes it anew.
                """)
        }
    }

    /// Constraints that old rows may violate are the exception: each says so where it is added.
    @Test func `what rows of before fulfil is validated`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/schema.sql")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let unvalidated = lines.filter { $0.hasSuffix(" NOT VALID;") }
            .compactMap { $0.firstMatch(of: /ADD CONSTRAINT (\w+)/).map { String($0.1) } }
        #expect(
            Set(unvalidated) == ["accounting_policy_starts_with_month", "reconciliation_item_matched_has_payment"])
    }

    /// A dump of the database.
    static func dump(_ database: TestDatabase, _ options: [String]) throws -> String {
        // One of an older version than the server's refuses.
        let programs =
            try ProcessInfo.processInfo.environment["LEDGERD_TEST_POSTGRES_BIN"]
            ?? run("/usr/bin/env", ["pg_config", "--bindir"]).trimmingCharacters(in: .whitespacesAndNewlines)
        return try run(programs + "/pg_dump", options + [database.url])
    }

    /// `pg_dump`'s words without what its own version and the server's say of themselves.
    private static func dump(_ database: TestDatabase) throws -> String {
        let dump = try dump(database, ["--schema-only", "--no-owner", "--no-comments", "--schema=public"])
        let noise = ["--", "SET ", "SELECT pg_catalog.", "\\restrict", "\\unrestrict", "CREATE SCHEMA "]
        var lines = ["-- Made from schema/ and the migrations by SchemaFileTests; not to be edited, nor to be run."]
        for line in dump.split(separator: "\n", omittingEmptySubsequences: false)
        where !noise.contains(where: { line.hasPrefix($0) }) && !(line.isEmpty && lines.last?.isEmpty == true) {
            // From PostgreSQL 18 on, NOT NULL is a constraint with a name.
            lines.append(String(line.replacing(/\ CONSTRAINT \w+ NOT NULL/, with: " NOT NULL")))
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) failed")
        return String(decoding: data, as: UTF8.self)
    }
}
