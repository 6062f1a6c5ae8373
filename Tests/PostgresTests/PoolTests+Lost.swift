import Postgres
import TestSupport
import Testing

/// Connections, and a database, that are lost.
extension PoolTests {
    @Test func `a connection that broke is replaced`() async throws {
        try await withPool(size: 1) { pool in
            let error = await postgresError {
                _ = try await pool.run(.affected("SELECT pg_terminate_backend(pg_backend_pid())"))
            }
            #expect(error?.code == .connectionLost)
            #expect(pool.statistics.idle == 0)
            let number = try await pool.run(.fortyTwo)
            #expect(number == 42)
        }
    }

    @Test func `idle connections that the server has ended are not lent`() async throws {
        try await TestDatabase.with { database in
            let pool = PostgresPool(try database.configuration, size: 4)
            try await Self.hold(4, of: pool)
            #expect(pool.statistics.idle == 4)
            let other = try await database.connect()
            _ = try await other.run(
                .affected(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """))
            let sessions = PostgresQuery<Int64>.one(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            ) { row in try row[0] }
            try await eventually("only this session is left") { try await other.run(sessions) == 1 }
            for _ in 0..<4 { #expect(try await pool.run(.fortyTwo) == 42) }
            await pool.close()
        }
    }

    /// Borrows so many connections, each while those before it are lent, and gives all back.
    private static func hold(_ count: Int, of pool: PostgresPool) async throws {
        guard count > 0 else { return }
        try await pool.withConnection(within: Patience.hang) { _ in try await hold(count - 1, of: pool) }
    }

    @Test func `a connection that the server is about to end is not lent`() async throws {
        try await TestDatabase.with { database in
            let pool = PostgresPool(try database.configuration, size: 1)
            _ = try await pool.run(.affected("CREATE TEMPORARY TABLE kept (n int)"))
            let other = try await database.connect()
            let schema = PostgresQuery<String>.one(
                "SELECT relnamespace::regnamespace::text FROM pg_class WHERE relname = 'kept'"
            ) { row in try row[0] }
            // A session drops its tables after it has told the client that it ends, and waits for this lock.
            try await other.execute("BEGIN; LOCK TABLE \(try await other.run(schema)).kept IN ACCESS SHARE MODE")
            let ending = """
                FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND backend_type = 'client backend'
                """
            _ = try await other.run(.affected("SELECT pg_terminate_backend(pid) \(ending)"))
            let watcher = try await database.connect()
            let waiting = PostgresQuery<Int64>.one("SELECT count(*) \(ending) AND wait_event_type = 'Lock'") { row in
                try row[0]
            }
            try await eventually("the session waits for the lock") { try await watcher.run(waiting) == 1 }
            #expect(try await pool.run(.fortyTwo) == 42)
            await other.close()
            await pool.close()
        }
    }

    @Test func `a database that is down is the error of who asks, and nobody starves when it returns`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            let pool = PostgresPool(try PostgresConfiguration(url: TestServer().url(through: proxy)), size: 2)
            #expect(try await pool.run(.fortyTwo) == 42)
            proxy.refuse()
            proxy.cutAll()
            try await eventually("the connection is gone") { proxy.openConnections == 0 }
            let errors = await withTaskGroup(of: PostgresError?.self) { group in
                for _ in 0..<50 { group.addTask { await postgresError { _ = try await pool.run(.fortyTwo) } } }
                return await group.reduce(into: []) { $0.append($1?.code) }
            }
            #expect(errors.allSatisfy { $0 == .connectionFailed })
            #expect(errors.count == 50)
            try proxy.accept()
            #expect(try await pool.run(.fortyTwo) == 42)
            let statistics = pool.statistics
            #expect([statistics.size, statistics.idle, statistics.lent, statistics.waiting] == [2, 1, 0, 0])
            await pool.close()
        }
    }
}
