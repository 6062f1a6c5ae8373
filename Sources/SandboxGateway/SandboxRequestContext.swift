import Hummingbird
import Logging
import NIOCore

/// A request context with its connection, so that a fault can break it.
struct SandboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    /// The request's number in the journal.
    var journalID = 0

    /// The delay set by a fault.
    var stall: Duration?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Waits for the delay set by a fault.
    func stallAsTold() async throws {
        if let stall { try await Task.sleep(for: stall) }
    }

    /// A path segment, percent-decoded.
    func segment(_ name: String) throws -> String {
        PercentEncoding.decode(Array(try parameters.require(name).utf8))
    }
}

extension Request {
    /// Larger than any request of this API.
    static let maxBodyBytes = 64 << 10

    var query: FormPairs { FormPairs(uri.query ?? "") }

    func fields() async throws -> RequestFields {
        RequestFields(try await body.collect(upTo: Self.maxBodyBytes), contentType: headers[.contentType])
    }
}

extension Response {
    /// The body; it can be read once.
    func bytes() async throws -> ByteBuffer {
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
