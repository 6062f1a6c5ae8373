import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct NotificationTests {
    @Test func `a notification arrives with its payload, also one sent before anybody waited`() async throws {
        let listener = try await connect()
        let sender = try await connect()
        let channel = "ch\"annel \(UInt32.random(in: .min ... .max))"
        try await listener.listen(channel)
        _ = try await sender.run(.affected("SELECT pg_notify($1, $2)", [channel, "코인"]))
        let notification = try await listener.nextNotification(within: .seconds(60))
        #expect(notification?.channel == channel)
        #expect(notification?.payload == "코인")

        async let next = listener.nextNotification(within: .seconds(60))
        // Nothing shows that it waits. Were it late, the notification would be one sent before anybody waited.
        try await Task.sleep(for: .milliseconds(150))
        _ = try await sender.run(.affected("SELECT pg_notify($1, 'two')", [channel]))
        #expect(try await next?.payload == "two")
    }

    @Test func `waiting ends at the deadline, and when the task is cancelled`() async throws {
        let connection = try await connect()
        try await connection.listen("quiet")
        #expect(try await connection.nextNotification(within: .milliseconds(50)) == nil)
        let task = Task { try await connection.nextNotification(within: .seconds(60)) }
        // Nothing shows that it waits. Were it late, it would be cancelled beforehand, and end as well.
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(try await task.value == nil)
        #expect(try await connection.run(.fortyTwo) == 42)
    }

    @Test func `a session that ends while waiting is lost`() async throws {
        try await FaultProxy.with(TestServer()) { proxy in
            let connection = try await PostgresConnection.connect(
                PostgresConfiguration(url: TestServer().url(through: proxy)))
            try await connection.listen("quiet")
            async let error = postgresError { _ = try await connection.nextNotification(within: .seconds(20)) }
            // Nothing shows that it waits. Were it late, the session would be lost beforehand.
            try await Task.sleep(for: .milliseconds(100))
            proxy.cutAll()
            #expect(await error?.code == .connectionLost)
            #expect(!connection.isUsable)
        }
    }
}
