import Glibc
import NIOCore

/// Watches a connection's bytes: that a request arrives, and that answers are taken, in good time.
///
/// It stands next to the socket, for one who sends a byte of a header a minute sends nothing that those further in see.
final class WireHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let connection: Connection
    private let requestTimeout: TimeAmount
    private let writeTimeout: TimeAmount
    /// What answers a request that has not arrived in time.
    private let onRequestTimeout: () -> Void
    /// Whether the client waits for us, so that it can't be blamed for what does not arrive.
    private let isClientWaiting: () -> Bool

    private var requestDeadline: NIODeadline?
    private var requestTimer: Scheduled<Void>?
    private var writeTimer: Scheduled<Void>?
    /// Bytes handed on to the socket since the connection opened.
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

    /// The request that was arriving is here.
    func requestEnded() { requestDeadline = nil }

    private func beginRequest(_ context: ChannelHandlerContext) {
        let deadline = NIODeadline.now() + requestTimeout
        requestDeadline = deadline
        if requestTimer == nil { schedule(at: deadline, context) }
    }

    /// The time that long bodies get beside the timeout.
    private static func time(for bytes: Int) -> TimeAmount {
        .nanoseconds(Int64(bytes) * 1_000_000_000 / ServerLimits.leastBytesPerSecond)
    }

    /// One timer serves all requests of a connection: it looks at the deadline that is then.
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

    // MARK: - Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if writeTimer == nil, waiting(context) > 0 { watchWriting(context) }
    }

    /// Gives the client the time of ``ServerLimits/writeTimeout`` to take a part of what waits for it.
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

    /// The bytes that the socket has not taken.
    private func waiting(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Closes at once; the kernel does not go on offering what it holds.
    private func reset(_ context: ChannelHandlerContext) {
        let channel = context.channel
        guard let socket = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
    }
}
