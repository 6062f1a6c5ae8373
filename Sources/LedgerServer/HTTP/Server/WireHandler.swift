import Glibc
import NIOCore

/// Enforces the timeouts of requests and responses on a connection's bytes.
///
/// It comes directly after the socket, because later handlers do not see the bytes of an incomplete header.
final class WireHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let connection: Connection
    private let requestTimeout: TimeAmount
    private let writeTimeout: TimeAmount
    /// Called when a request has not arrived in time.
    private let onRequestTimeout: () -> Void
    /// Whether the client waits for a response; then a late request is not its fault.
    private let isClientWaiting: () -> Bool

    private var requestDeadline: NIODeadline?
    private var requestTimer: Scheduled<Void>?
    private var writeTimer: Scheduled<Void>?
    /// The number of bytes passed to the socket so far.
    private var written = 0

    init(
        connection: Connection, limits: ServerLimits, isClientWaiting: @escaping () -> Bool,
        onRequestTimeout: @escaping () -> Void
    ) {
        self.connection = connection
        requestTimeout = TimeAmount(limits.requestTimeout)
        writeTimeout = TimeAmount(limits.writeTimeout)
        self.isClientWaiting = isClientWaiting
        self.onRequestTimeout = onRequestTimeout
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        requestTimer?.cancel()
        writeTimer?.cancel()
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if requestDeadline == nil { beginRequest(context) }
        requestDeadline = requestDeadline.map { $0 + Self.time(for: unwrapInboundIn(data).readableBytes) }
        context.fireChannelRead(data)
    }

    /// Called when the current request has arrived completely.
    func requestEnded() { requestDeadline = nil }

    private func beginRequest(_ context: ChannelHandlerContext) {
        let deadline = NIODeadline.now() + requestTimeout
        requestDeadline = deadline
        if requestTimer == nil { schedule(at: deadline, context) }
    }

    /// The extension of the timeout for a number of bytes.
    private static func time(for bytes: Int) -> TimeAmount {
        .nanoseconds(Int64(bytes) * 1_000_000_000 / ServerLimits.leastBytesPerSecond)
    }

    /// One timer serves all requests of a connection: when it fires, it checks the current deadline.
    private func schedule(at deadline: NIODeadline, _ context: ChannelHandlerContext) {
        requestTimer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            requestTimer = nil
            guard let requestDeadline else { return }
            if isClientWaiting() {
                self.requestDeadline = .now() + requestTimeout
                schedule(at: .now() + requestTimeout, context)
            } else if requestDeadline <= .now() {
                self.requestDeadline = nil
                connection.count(.requestTimeout)
                onRequestTimeout()
            } else {
                schedule(at: requestDeadline, context)
            }
        }
    }

    // MARK: - Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if writeTimer == nil, waiting(context) > 0 { watchWriting(context) }
    }

    /// Starts the ``ServerLimits/writeTimeout`` of the waiting bytes.
    private func watchWriting(_ context: ChannelHandlerContext) {
        let goal = min(written - waiting(context) + ServerLimits.leastTaken, written)
        writeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: writeTimeout) { [self] in
            writeTimer = nil
            let waiting = waiting(context)
            guard waiting > 0 else { return }
            if written - waiting >= goal {
                watchWriting(context)
            } else {
                connection.count(.writeTimeout)
                reset(context)
            }
        }
    }

    /// The number of bytes that the socket has not accepted yet.
    private func waiting(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Closes the connection at once; the kernel discards unsent bytes.
    private func reset(_ context: ChannelHandlerContext) {
        let channel = context.channel
        guard let socket = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
    }
}
