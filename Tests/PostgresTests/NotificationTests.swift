import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct NotificationTests {
    @Test func `a notification arrives with its payload, also one sent before anybody waited`() async throws {
        let listener = try await connect()
        let sender = try await connect()
        let channel = "ch\"annel \(Fresh.word)"
        try await listener.listen(channel)
        _ = try await sender.run(.affected("SELECT pg_notify($1, $2)", [channel, "코인"]))
        let notification = try await listener.nextNotification(within: Patience.hang)
        #expect(notification?.channel == channel)
        #expect(notification?.payload == "코인")

        for round in 0..<20 {
            async let next = listener.nextNotification(within: Patience.hang)
            try await Self.letWait(round, sender)
            _ = try await sender.run(.affected("SELECT pg_notify($1, $2)", [channel, "\(round)"]))
            #expect(try await next?.payload == "\(round)")
        }
    }

    @Test func `waiting ends at the deadline, and when the task is cancelled`() async throws {
        let connection = try await connect()
        try await connection.listen("quiet")
        #expect(try await connection.nextNotification(within: .milliseconds(50)) == nil)
        let other = try await connect()
        for round in 0..<5 {
            let task = Task { try await connection.nextNotification(within: .seconds(3600)) }
            try await Self.letWait(5 * round, other)
            task.cancel()
            #expect(try await task.value == nil)
            #expect(try await connection.run(.fortyTwo) == 42)
        }
    }

    @Test func `a session that ends while waiting is lost`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            let connection = try await PostgresConnection.connect(
                PostgresConfiguration(url: TestServer().url(through: proxy)))
            try await connection.listen("quiet")
            async let error = postgresError { _ = try await connection.nextNotification(within: .seconds(3600)) }
            try await Self.letWait(20, try await connect())
            proxy.cutAll()
            #expect(await error?.code == .connectionLost)
            #expect(!connection.isUsable)
        }
    }

    /// Lets a task begin to wait, or not yet: nothing shows that it does, and all must go well either way.
    private static func letWait(_ statements: Int, _ connection: PostgresConnection) async throws {
        for _ in 0..<statements { _ = try await connection.run(.fortyTwo) }
    }
}
