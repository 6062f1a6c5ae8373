import Hummingbird
import HummingbirdCore
import Logging
import Metrics
import ServiceLifecycle

/// An address that HTTP is served on, and what answers there.
struct Listener: Service {
    private let address: ServeConfiguration.Listen
    private let application: Application<OwnTaskResponder<RouterResponder<LedgerdRequestContext>>>

    /// - Parameters:
    ///   - metrics: what counts its connections.
    ///   - onListening: told the port once it listens.
    init(
        address: ServeConfiguration.Listen, responder: RouterResponder<LedgerdRequestContext>, limits: ServerLimits,
        metrics: any MetricsFactory = MetricsSystem.factory, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void
    ) {
        self.address = address
        application = Application(
            responder: OwnTaskResponder(base: responder),
            server: .guarded(by: limits, metrics: metrics),
            configuration: .init(
                address: .hostname(address.host, port: address.port),
                serverName: "ledgerd",
                availableConnectionsDelegate: .maximum(limits.connections + ServerLimits.surplus, logger: logger)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    /// - Throws: ``ListenError`` for an address that can't be listened on.
    func run() async throws {
        try await listening(on: address) { try await application.run() }
    }
}

/// The ports that the service listens on.
package struct Ports: Sendable {
    /// The API's.
    package let api: Int
    /// That of monitoring, if it has one of its own.
    package let admin: Int?
}

/// Tells once that every listener listens.
actor Opening {
    private let awaitsAdmin: Bool
    private let onAllListening: @Sendable (Ports) async -> Void
    private var api: Int?
    private var admin: Int?

    init(awaitsAdmin: Bool, onAllListening: @escaping @Sendable (Ports) async -> Void) {
        self.awaitsAdmin = awaitsAdmin
        self.onAllListening = onAllListening
    }

    func opened(api port: Int) async {
        api = port
        await reportPorts()
    }

    func opened(admin port: Int) async {
        admin = port
        await reportPorts()
    }

    private func reportPorts() async {
        guard let api, !awaitsAdmin || admin != nil else { return }
        await onAllListening(Ports(api: api, admin: admin))
    }
}

/// Answers each request in a task of its own.
///
/// A task keeps the memory of its deepest call until it ends: about 250 bytes a call, and a request passes through some
/// forty. A connection's task lives as long as the connection, so each idle connection would keep that of its requests.
struct OwnTaskResponder<Base: HTTPResponder>: HTTPResponder where Base.Context: Sendable {
    let base: Base

    func respond(to request: Request, context: Base.Context) async throws -> Response {
        async let response = base.respond(to: request, context: context)
        return try await response
    }
}
