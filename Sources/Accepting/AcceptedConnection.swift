package import HummingbirdCore
package import Logging
package import NIOCore
import Synchronization

/// An accepted connection of HTTP/1.1, which is closed also when no handler takes it.
///
/// A server that ends drops the connections that it accepted last and has given to nobody yet. NIO ends the process by a
/// trap when the channel of such a connection becomes active ("Deinited NIOAsyncWriter without calling finish()"). It
/// happens to a server whose task is cancelled while clients connect, and in a window of microseconds to one that is
/// stopped gracefully. Here the last one who drops the connection closes it.
package final class AcceptedConnection: ServerChildChannelValue {
    private let connection: HTTP1Channel.Value
    private let isServed = Atomic(false)

    package init(_ connection: HTTP1Channel.Value) { self.connection = connection }

    package var channel: any Channel { connection.channel }

    /// Serves its requests until it is closed.
    package func serve(by http: HTTP1Channel, logger: Logger) async {
        isServed.store(true, ordering: .relaxed)
        await http.handle(value: connection, logger: logger)
    }

    deinit {
        if isServed.load(ordering: .relaxed) { return }
        // It outlives this object, because closing takes several turns of the connection's event loop.
        Task { [connection] in
            try? await connection.channel.close()
            try? await connection.executeThenClose { _, _ in }
        }
    }
}

/// Hummingbird's HTTP/1.1 channel, whose connections are closed also when no handler takes them.
package struct SafeHTTP1Channel: ServerChildChannel {
    private let http: HTTP1Channel

    package init(_ http: HTTP1Channel) { self.http = http }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        http.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
    }

    package func handle(value: AcceptedConnection, logger: Logger) async {
        await value.serve(by: http, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// An HTTP/1.1 server that can be cancelled at any time.
    package static var safeHTTP1: HTTPServerBuilder {
        HTTPServerBuilder { SafeHTTP1Channel(HTTP1Channel(responder: $0)) }
    }
}
