package import HTTPTypes
import Hummingbird
import Logging
package import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix

/// Sends requests to an application under test.
package struct TestClient: Sendable {
    /// The port that the application listens on; nil in memory.
    package let port: Int?
    private let send: @Sendable (HTTPRequest, ByteBuffer?) async throws -> TestResponse

    /// Sends a request, and gives the response to `read`.
    @discardableResult package func execute<Value>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        read: (TestResponse) async throws -> Value = { $0 }
    ) async throws -> Value {
        var headers = headers
        headers[.contentLength] = body.map { String($0.readableBytes) }
        let request = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers)
        return try await read(try await send(request, body))
    }
}

/// A whole response.
package struct TestResponse: Sendable {
    package let head: HTTPResponse
    package let body: ByteBuffer

    package var status: HTTPResponse.Status { head.status }
    package var headers: HTTPFields { head.headerFields }
}

// MARK: In memory

extension TestClient {
    init<Responder: HTTPResponder>(responder: Responder, logger: Logger)
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        port = nil
        send = { request, body in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())  // as a server names it
            let context = Responder.Context(source: .init(channel: NIOAsyncTestingChannel(), logger: logger))
            let request = Request(head: request, body: RequestBody(buffer: body ?? ByteBuffer()))
            let response = try await responder.respond(to: request, context: context)
            let collected = CollectedBody()
            try await response.body.write(collected)
            return TestResponse(head: response.head, body: collected.bytes)
        }
    }

    private final class CollectedBody: ResponseBodyWriter {
        var bytes = ByteBuffer()

        func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
        func finish(_: HTTPFields?) async throws {}
    }
}

// MARK: Over a socket

extension TestClient {
    /// Each request has a connection of its own, so that a broken one breaks no other.
    package init(port: Int) {
        self.port = port
        send = { request, body in
            let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPClientCodec())
                        return try NIOAsyncChannel<HTTPResponsePart, HTTPRequestPart>(
                            wrappingChannelSynchronously: channel)
                    }
                }
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(.head(request))
                if let body { try await outbound.write(.body(body)) }
                try await outbound.write(.end(nil))
                return try await Self.response(of: inbound)
            }
        }
    }

    private static func response(
        of parts: NIOAsyncChannelInboundStream<HTTPResponsePart>
    ) async throws -> TestResponse {
        var head: HTTPResponse?
        var body = ByteBuffer()
        for try await part in parts {
            switch part {
            case .head(let response): head = response
            case .body(let bytes): body.writeImmutableBuffer(bytes)
            case .end:
                if let head { return TestResponse(head: head, body: body) }
            }
        }
        throw ConnectionLost()
    }

    private struct ConnectionLost: Error {}
}
