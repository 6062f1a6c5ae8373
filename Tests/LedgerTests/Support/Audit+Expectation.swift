import LedgerTestSupport
import Postgres
import Testing

extension Audit {
    /// Records an issue for everything that is wrong with the books.
    static func expectSound(_ test: TestLedger, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let found = try await problems(of: test)
        #expect(found.isEmpty, "\(found.prefix(10))", sourceLocation: sourceLocation)
    }
}

extension PostgresConnection {
    /// The error that the server refuses these statements with; nil: it took them.
    func refusal(of sql: String) async -> PostgresError? {
        do {
            try execute(sql)
            return nil
        } catch {
            return error
        }
    }

    /// The error that the server refuses a transaction of these statements with, at the latest where it would commit;
    /// nil: it would have been committed.
    ///
    /// It is rolled back in any case, so that many can be tried in one database.
    func refusal(ofTransaction sql: String) async throws -> PostgresError? {
        let error = await refusal(of: "BEGIN; \(sql); SET CONSTRAINTS ALL IMMEDIATE")
        try execute("ROLLBACK")
        return error
    }
}
