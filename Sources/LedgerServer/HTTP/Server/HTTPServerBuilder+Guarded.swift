import Accepting
import Glibc
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import NIOHTTP1

extension HTTPServerBuilder {
    /// An HTTP/1.1 server whose clients have limits.
    ///
    /// - Parameter metrics: what counts its connections.
    static func guarded(
        by limits: ServerLimits, metrics: any MetricsFactory = MetricsSystem.factory
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GuardedChannel(
                base: SafeHTTP1Channel(
                    HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            additionalChannelHandlers: [ContinueHandler()],
                            idleTimeout: TimeAmount(limits.idleTimeout)))),
                limits: limits, connections: Connections(limit: limits.connections, metrics: metrics))
        }
    }
}

extension NIOBSDSocket.Option {
    /// The maximum number of unsent bytes in a socket (tcp(7)).
    ///
    /// Without it, the kernel buffers megabytes for a client that does not read, and a slow client seems to read nothing
    /// until a third of them is sent.
    fileprivate static let notSentLowWater = Self(rawValue: TCP_NOTSENT_LOWAT)
}

/// Hummingbird's HTTP/1.1 channel with a handler before the parser and one after it.
private struct GuardedChannel: ServerChildChannel {
    let base: SafeHTTP1Channel
    let limits: ServerLimits
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        let connection = Connection(channel: channel, in: connections)
        connections.add(connection)
        channel.closeFuture.whenComplete { _ in connections.remove(connection) }
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try addHandlers(to: channel, connection, logger)
            return value
        }
    }

    func handle(value: AcceptedConnection, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    private func addHandlers(to channel: any Channel, _ connection: Connection, _ logger: Logger) throws {
        let pipeline = channel.pipeline.syncOperations
        let guarding = RequestGuard(connection: connection, logger: logger)
        let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(guarding, position: .after(parser))
        let context = try pipeline.context(handler: guarding)
        let wire = WireHandler(
            connection: connection, limits: limits, isClientWaiting: { guarding.isClientWaiting },
            onRequestTimeout: { guarding.giveUp(context) })
        guarding.onRequestEnd = { wire.requestEnded() }
        try pipeline.addHandler(wire, position: .first)
        // Without the option, which some platforms lack, buffers are only larger.
        try? channel.syncOptions?.setOption(.tcpOption(.notSentLowWater), value: ServerLimits.unsentInKernel)
    }
}
