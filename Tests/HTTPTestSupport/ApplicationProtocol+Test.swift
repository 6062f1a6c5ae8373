package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// How requests reach an application under test.
package enum TestingSetup: Sendable {
    /// In memory: its responder is called. Its services run too.
    case router
    /// Over a socket: it runs as it is, and is shut down gracefully.
    case live
}

extension ApplicationProtocol {
    /// Runs `body` with a client of this application.
    package func test<Value: Sendable>(
        _ setup: TestingSetup, _ body: @Sendable (TestClient) async throws -> Value
    ) async throws -> Value {
        switch setup {
        case .router: try await testResponder(body)
        case .live: try await testServer(body)
        }
    }

    private func testResponder<Value: Sendable>(
        _ body: @Sendable (TestClient) async throws -> Value
    ) async throws -> Value {
        let client = TestClient(responder: try await responder, logger: logger)
        return try await withThrowingTaskGroup { group in
            for service in services { group.addTask { try await service.run() } }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }

    private func testServer<Value: Sendable>(
        _ body: @Sendable (TestClient) async throws -> Value
    ) async throws -> Value {
        let (ports, started) = AsyncStream<Int>.makeStream()
        let server = ServiceGroup(
            configuration: .init(services: [Started(base: self, ports: started)], logger: logger))
        return try await withThrowingTaskGroup { group in
            group.addTask {
                defer { started.finish() }
                try await server.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await group.waitForAll()
                throw CancellationError()
            }
            let result: Result<Value, any Error>
            do { result = .success(try await body(TestClient(port: port))) } catch { result = .failure(error) }
            await server.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

/// An application that tells its port when it listens.
private struct Started<Base: ApplicationProtocol>: ApplicationProtocol {
    let base: Base
    let ports: AsyncStream<Int>.Continuation

    var responder: Base.Responder { get async throws { try await base.responder } }
    var server: HTTPServerBuilder { base.server }
    var configuration: ApplicationConfiguration { base.configuration }
    var logger: Logger { base.logger }
    var services: [any Service] { base.services }

    @Sendable func onServerRunning(_ channel: any Channel) async {
        await base.onServerRunning(channel)
        ports.yield(channel.localAddress?.port ?? 0)
    }
}
