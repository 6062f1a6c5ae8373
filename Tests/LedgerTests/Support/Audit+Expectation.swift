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
}
