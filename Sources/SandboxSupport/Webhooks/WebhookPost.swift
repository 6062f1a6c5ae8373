import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix

/// One delivery attempt: a connection, a request, and the start of the response.
package struct WebhookPost: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let header: String
        package let body: String
    }

    package struct TimedOut: Error, CustomStringConvertible {
        package let description = "no response in time"
    }

    private let url: String
    private let body: String
    private let headers: [(String, String)]

    private static let maxAnswerBytes = 4096

    package init(url: String, body: String, headers: [(String, String)]) {
        self.url = url
        self.body = body
        self.headers = headers
    }

    /// Sends it; redirects aren't followed.
    package func send(within limit: Duration) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { try await post() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw TimedOut()
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw TimedOut() }
            return answer
        }
    }

    private func post() async throws -> Answer {
        guard let target = WebhookTarget(url) else { throw ChannelError.operationUnsupported }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: target.host, port: target.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(contentsOf: [
                .head(head(target)), .body(.byteBuffer(ByteBuffer(string: body))), .end(nil),
            ])
            return try await Self.answer(inbound)
        }
    }

    private func head(_ target: WebhookTarget) -> HTTPRequestHead {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: target.path)
        head.headers.add(name: "Host", value: "\(target.host):\(target.port)")
        for (name, value) in headers { head.headers.add(name: name, value: value) }
        head.headers.add(name: "Content-Length", value: String(body.utf8.count))
        head.headers.add(name: "Connection", value: "close")
        return head
    }

    private static func answer(_ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>) async throws -> Answer {
        var status: Int?
        var header = ""
        var bytes = ByteBuffer()
        loop: for try await part in inbound {
            switch part {
            case .head(let head):
                status = Int(head.status.code)
                header = head.headers.map { $0.name + ": " + $0.value }.joined(separator: "\n")
            case .body(var part):
                bytes.writeBuffer(&part)
                if bytes.readableBytes >= maxAnswerBytes { break loop }
            case .end: break loop
            }
        }
        guard let status else { throw ChannelError.eof }
        return Answer(
            status: status, header: String(header.prefix(maxAnswerBytes)),
            body: String(String(buffer: bytes).prefix(maxAnswerBytes)))
    }
}

extension WebhookPost {
    /// Why there was no answer.
    package enum Failure: Sendable {
        case timedOut
        /// The receiver can't be reached, or its connection broke.
        case connection
        /// The connection was closed before an answer.
        case closed
        /// The answer isn't HTTP.
        case invalidAnswer
        case other

        package init(_ error: any Error) {
            switch error {
            case is TimedOut, ChannelError.connectTimeout: self = .timedOut
            case ChannelError.eof, ChannelError.inputClosed: self = .closed
            case is NIOConnectionError, is IOError, is ChannelError: self = .connection
            case is HTTPParserError: self = .invalidAnswer
            default: self = .other
            }
        }
    }
}

/// The URL of a webhook receiver: `http` only, because the receiver is on the same machine.
package struct WebhookTarget: Hashable, Sendable {
    package let host: String
    package let port: Int
    package let path: String

    /// nil if `text` isn't an `http` URL with a host.
    package init?(_ text: String) {
        guard let url = URL(string: text), url.scheme == "http", let host = url.host(), !host.isEmpty else {
            return nil
        }
        self.host = host
        port = url.port ?? 80
        let query = url.query().map { "?" + $0 } ?? ""
        path = (url.path().isEmpty ? "/" : url.path()) + query
    }
}
