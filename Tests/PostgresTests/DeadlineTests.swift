import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct DeadlineTests {
    @Test func `a statement that takes too long is cancelled by the server`() async throws {
        let connection = try await connect { $0.statementTimeout = .milliseconds(100) }
        let error = await postgresError { _ = try await connection.run(.affected("SELECT pg_sleep(10)")) }
        #expect(error?.code == .server)
        #expect(error?.sqlState == .queryCanceled)
        // The limit holds for this one too.
        try await eventually("the connection goes on") {
            await postgresError { _ = try await connection.run(.fortyTwo) } == nil
        }
    }

    @Test func `a lock that is not to be had in time is an error`() async throws {
        try await TestDatabase.with { database in
            let owner = try await database.connect()
            try await owner.execute("CREATE TABLE t (id bigint); INSERT INTO t VALUES (1)")
            var configuration = try database.configuration
            configuration.lockTimeout = .milliseconds(100)
            let other = try await PostgresConnection.connect(configuration)
            try await owner.execute("BEGIN; SELECT * FROM t FOR UPDATE")
            let error = await postgresError { _ = try await other.run(.affected("SELECT * FROM t FOR UPDATE")) }
            #expect(error?.sqlState == .lockNotAvailable)
            try await owner.execute("ROLLBACK")
            #expect(try await other.run(.affected("SELECT * FROM t FOR UPDATE")) == 1)
        }
    }

    @Test func `two transactions that wait for each other are a deadlock, which ends one of them`() async throws {
        try await TestDatabase.with { database in
            let first = try await database.connect()
            let second = try await database.connect()
            try await first.execute("CREATE TABLE t (id bigint); INSERT INTO t VALUES (1), (2)")
            func lock(_ id: Int) -> PostgresQuery<Int> {
                PostgresQuery.affected("SELECT * FROM t WHERE id = $1 FOR UPDATE", [id])
            }
            _ = try await first.pipeline(.begin, lock(1))
            _ = try await second.pipeline(.begin, lock(2))
            async let one = postgresError { _ = try await first.run(lock(2)) }
            async let two = postgresError { _ = try await second.run(lock(1)) }
            let errors = await [one, two].compactMap(\.?.sqlState)
            #expect(errors == [.deadlockDetected])
        }
    }

    @Test func `a server that falls silent is given up, and the outcome is unknown`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            var configuration = try PostgresConfiguration(url: TestServer().url(through: proxy))
            configuration.replyTimeout = .milliseconds(300)
            let connection = try await Self.connected(configuration)
            proxy.stall()
            let begin = ContinuousClock.now
            let error = await postgresError { _ = try await connection.run(.fortyTwo) }
            #expect(error?.code == .timeout)
            #expect(error?.isOutcomeUnknown == true)
            #expect(ContinuousClock.now - begin >= .milliseconds(300))
            #expect(!connection.isUsable)
            #expect(await postgresError { _ = try await connection.run(.fortyTwo) }?.code == .closed)
        }
    }

    @Test func `a session that is at work is not taken for a silent one`() async throws {
        // On a very slow machine the server's answer, that it is at work, can be late.
        try await eventually("its reply is waited for") {
            let connection = try await Self.connected(
                serverConfiguration {
                    $0.replyTimeout = .milliseconds(100)
                    $0.busyTimeout = .seconds(600)
                })
            return await postgresError { _ = try await connection.run(.affected("SELECT pg_sleep(1)")) } == nil
        }
    }

    @Test func `a busy session is waited for no longer than its limit, and one that waits itself is not busy`()
        async throws
    {
        try await TestDatabase.with { database in
            let owner = try await database.connect()
            try await owner.execute("CREATE TABLE t (id bigint); INSERT INTO t VALUES (1)")
            try await owner.execute("BEGIN; SELECT FROM t FOR UPDATE")
            for (statement, busyTimeout) in [
                ("SELECT pg_sleep(3600)", .milliseconds(100)), ("SELECT FROM t FOR UPDATE", .seconds(3600)),
            ] as [(String, Duration)] {
                var configuration = try database.configuration
                configuration.statementTimeout = .zero
                configuration.lockTimeout = .zero
                configuration.replyTimeout = .milliseconds(100)
                configuration.busyTimeout = busyTimeout
                let connection = try await Self.connected(configuration)
                #expect(await postgresError { _ = try await connection.run(.affected(statement)) }?.code == .timeout)
            }
            try await owner.execute("ROLLBACK")
        }
    }

    @Test func `a server that takes nothing in is given up in the middle of sending`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            var configuration = try PostgresConfiguration(url: TestServer().url(through: proxy))
            configuration.replyTimeout = .milliseconds(300)
            let connection = try await Self.connected(configuration)
            proxy.stall()
            let large = String(repeating: "x", count: 32 << 20)
            let error = await postgresError { _ = try await connection.run(.affected("SELECT $1", [large])) }
            #expect(error?.code == .timeout)
        }
    }

    /// Connects, however long the server takes to reply: its time limit holds for the session's settings too.
    private static func connected(_ configuration: PostgresConfiguration) async throws -> PostgresConnection {
        var connection: PostgresConnection?
        try await eventually("it is connected") {
            connection = try? await PostgresConnection.connect(configuration)
            return connection != nil
        }
        return try #require(connection)
    }

    @Test(arguments: [.clientSends(""), .serverSends(""), .clientHasSent(bytes: 400)] as [FaultProxy.Fault.Trigger])
    func `a connection cut in mid-flight leaves the outcome unknown`(trigger: FaultProxy.Fault.Trigger) async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            let connection = try await PostgresConnection.connect(
                PostgresConfiguration(url: TestServer().url(through: proxy)))
            _ = try await connection.run(.fortyTwo)
            proxy.arm(.cut, when: trigger)
            let error = await postgresError { _ = try await connection.pipeline(.begin, .fortyTwo, .commit) }
            #expect(error?.code == .connectionLost)
            #expect(!connection.isUsable)
            #expect(proxy.firedFaults == 1)
        }
    }

    @Test func `a commit whose reply is lost is unknown, and happened`() async throws {
        try await TestDatabase.with { database in
            let owner = try await database.connect()
            try await owner.execute("CREATE TABLE t (id bigint)")
            try await FaultProxy.with(database.server) { proxy in
                let connection = try await PostgresConnection.connect(database.configuration(through: proxy))
                let insert = PostgresQuery<Int>.affected("INSERT INTO t VALUES (1)")
                _ = try await connection.pipeline(.begin, insert, .commit)
                proxy.arm(.cut, when: .serverSends("COMMIT"))
                let error = await postgresError { _ = try await connection.pipeline(.begin, insert, .commit) }
                #expect(error?.code == .connectionLost)
            }
            #expect(try await owner.run(.affected("SELECT * FROM t")) == 2)
        }
    }

    @Test func `a commit that never reached the server is unknown, and did not happen`() async throws {
        try await TestDatabase.with { database in
            let owner = try await database.connect()
            try await owner.execute("CREATE TABLE t (id bigint)")
            try await FaultProxy.with(database.server) { proxy in
                let connection = try await PostgresConnection.connect(database.configuration(through: proxy))
                proxy.arm(.cut, when: .clientSends("COMMIT"))
                let error = await postgresError {
                    try await connection.transaction { try $0.execute("INSERT INTO t VALUES (1)") }
                }
                #expect(error?.code == .connectionLost)
            }
            #expect(try await owner.run(.affected("SELECT * FROM t")) == 0)
        }
    }

    @Test func `a statement is cancelled from outside`() async throws {
        let connection = try await connect { $0.statementTimeout = .zero }
        async let error = postgresError { _ = try await connection.run(.affected("SELECT pg_sleep(3600)")) }
        let other = try await connect()
        let running = PostgresQuery<Int64>.one(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = 'SELECT pg_sleep(3600)'"
        ) { row in try row[0] }
        // A request that comes before the statement hits nothing.
        try await eventually("the statement runs") { try await other.run(running) == 1 }
        connection.cancel()
        let failure = await error
        #expect(failure?.sqlState == .queryCanceled)
        #expect(failure?.message.contains("user request") == true)
        #expect(connection.isUsable)
    }
}
