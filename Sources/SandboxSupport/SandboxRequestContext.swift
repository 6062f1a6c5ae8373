import Glibc
package import Hummingbird
import Logging
package import NIOCore

/// A request context with its connection, so that a fault can break it.
package struct SandboxRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel

    /// The request's number in the journal.
    package var journalID = 0

    /// The delay set by a fault.
    package var stall: Duration?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Waits for the delay set by a fault.
    package func stallAsTold() async throws {
        if let stall { try await Task.sleep(for: stall) }
    }

    /// Resets the connection.
    ///
    /// With a linger time of zero, closing a socket sends RST.
    package func reset() async throws -> Never {
        if let socket = channel as? any SocketOptionProvider {
            try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        channel.close(promise: nil)
        throw Unanswered()
    }

    /// A path segment, percent-decoded.
    package func segment(_ name: String) throws -> String {
        PercentEncoding.decode(Array(try parameters.require(name).utf8))
    }
}

extension Request {
    /// Larger than any request of this API.
    package static let maxBodyBytes = 64 << 10

    package var query: FormPairs { FormPairs(uri.query ?? "") }
}

extension Response {
    /// The body; it can be read once.
    package func bytes() async throws -> ByteBuffer {
        let collector = BodyCollector()
        try await body.write(collector)
        return collector.bytes
    }
}

/// Collects a response body instead of sending it.
///
/// Unchecked: used by the one task that writes the body and reads it afterwards.
private final class BodyCollector: ResponseBodyWriter, @unchecked Sendable {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        bytes.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
