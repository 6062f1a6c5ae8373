import HTTPTestSupport
package import Hummingbird
import Logging
package import SandboxSupport
import Synchronization

/// A shop's server, which keeps what it received.
package final class WebhookReceiver: Sendable {
    package struct Message: Sendable {
        package let headers: [String: String]
        package let body: String

        package var json: JSONValue { Answer(status: 0, contentType: nil, text: body).json }
    }

    package let messages: AsyncStream<Message>
    private let inlet: AsyncStream<Message>.Continuation
    private let statuses = Mutex<[HTTPResponse.Status]>([])

    private init() { (messages, inlet) = AsyncStream.makeStream() }

    /// The next answers; afterwards 200.
    package func answer(_ next: HTTPResponse.Status...) { statuses.withLock { $0 = next } }

    /// Runs `body` with a receiver and its URL.
    package static func serve(
        _ body: @escaping @Sendable (WebhookReceiver, _ url: String) async throws -> Void
    ) async throws {
        let receiver = WebhookReceiver()
        let router = Router()
        router.post("**") { request, _ -> HTTPResponse.Status in
            let text = String(buffer: try await request.body.collect(upTo: 64 << 10))
            let headers = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { $1 }
            receiver.inlet.yield(Message(headers: headers, body: text))
            return receiver.statuses.withLock { $0.isEmpty ? .ok : $0.removeFirst() }
        }
        let shop = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .quiet)
        try await shop.test(.live) { client in
            try await body(receiver, "http://127.0.0.1:\(client.port ?? 0)")
        }
    }
}
