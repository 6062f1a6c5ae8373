import TestSupport
import Testing

@testable import Postgres

/// What proves that a pooler shares sessions; `PoolerTests` has a pooler.
@Suite(.timeLimit(.minutes(20))) struct SessionSharingTests {
    private static let one = ServerProcess(id: 1, began: 100)
    private static let other = ServerProcess(id: 2, began: 200)
    /// The same id, given again to a later process.
    private static let later = ServerProcess(id: 1, began: 300)

    @Test func `connections that keep different processes have sessions of their own`() throws {
        var sessions = ObservedSessions()
        for _ in 0..<2 {
            try sessions.saw(Self.one, in: .first)
            try sessions.saw(Self.later, in: .second)
        }
    }

    @Test func `a process of both connections, or a second process of one, is proof of sharing`() throws {
        var sessions = ObservedSessions()
        try sessions.saw(Self.one, in: .first)
        #expect(throws: PostgresError.self) { try sessions.saw(Self.one, in: .second) }

        sessions = ObservedSessions()
        try sessions.saw(Self.one, in: .first)
        try sessions.saw(Self.other, in: .second)
        #expect(throws: PostgresError.self) { try sessions.saw(Self.later, in: .first) }
    }

    @Test func `a process that does not say when it began proves nothing`() throws {
        var sessions = ObservedSessions()
        try sessions.saw(Self.one, in: .first)
        try sessions.saw(nil, in: .second)
        try sessions.saw(nil, in: .first)
    }

    @Test func `a server without a pooler is admitted, and nothing is set in its sessions`() async throws {
        try await PostgresConnection.requireOwnSessions(serverConfiguration())
        let connection = try await PostgresConnection.connectPlainly(serverConfiguration())
        let prepared = PostgresQuery<Int64>.one("SELECT count(*) FROM pg_prepared_statements")
        #expect(try await connection.run(prepared) == 0)
        #expect(try await connection.run(prepared) == 0)
        let byClient = PostgresQuery<Int64>.one(
            "SELECT count(*) FROM pg_settings WHERE source = 'session' AND name LIKE '%timeout'")
        #expect(try await connection.run(byClient) == 0)
        #expect(try await connection.run(ServerProcess.present) != nil)
        await connection.close()
    }
}
