import HTTPTestSupport
import Hummingbird
import Logging
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ListenerTests {
    /// It happens when the other address of a service can't be listened on.
    ///
    /// NIO ends the process by a trap when such a connection is only dropped.
    @Test func `a listener that is cancelled at its start closes connections that nobody serves yet`() async throws {
        let metrics = PrometheusMetrics()
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let (never, _) = AsyncStream<Never>.makeStream()
        let listener = Listener(
            address: try #require(ServeConfiguration.Listen(text: "127.0.0.1:0")),
            responder: Router(context: LedgerdRequestContext.self).buildResponder(), limits: ServerLimits(),
            metrics: metrics, logger: Logger(label: "listener") { _ in SwiftLogNoOpLogHandler() }
        ) { port in
            listening.yield(port)
            // Connections are accepted, and are served after this call, which the cancellation ends.
            for await _ in never {}
        }
        let running = Task { try await listener.run() }
        let port = try #require(await ports.first { _ in true })
        let requests = (0..<3).map { _ in
            Task { try await TestClient(port: port).execute(uri: "/health", method: .get) }
        }
        try await eventually("the connections are accepted") {
            metrics.total(of: "ledgerd_http_connections_open", with: []).value == 3
        }
        running.cancel()
        for request in requests {
            await #expect(throws: (any Error).self) { try await request.value }
        }
        _ = await running.result
    }
}
