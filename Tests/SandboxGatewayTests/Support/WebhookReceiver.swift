import HTTPTestSupport
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Synchronization

@testable import SandboxGateway

/// A shop's server, which keeps what it received.
final class WebhookReceiver: Sendable {
    struct Message: Sendable {
        let headers: [String: String]
        let body: String

        var json: JSONValue { Answer(status: 0, contentType: nil, text: body).json }
    }

    let messages: AsyncStream<Message>
    private let inlet: AsyncStream<Message>.Continuation
    private let statuses = Mutex<[HTTPResponse.Status]>([])

    init() { (messages, inlet) = AsyncStream.makeStream() }

    /// The next answers; afterwards 200.
    func answer(_ next: HTTPResponse.Status...) { statuses.withLock { $0 = next } }

    /// Runs `body` with a receiver and a gateway that sends to it.
    static func run(
        _ change: @escaping @Sendable (inout SandboxGatewayConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (SandboxUnderTest, WebhookReceiver) async throws -> Void
    ) async throws {
        let receiver = WebhookReceiver()
        let router = Router()
        router.post("**") { request, _ -> HTTPResponse.Status in
            let text = String(buffer: try await request.body.collect(upTo: 4096))
            let headers = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { $1 }
            receiver.inlet.yield(Message(headers: headers, body: text))
            return receiver.statuses.withLock { $0.isEmpty ? .ok : $0.removeFirst() }
        }
        let shop = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .quiet)
        try await shop.test(.live) { client in
            let url = "http://127.0.0.1:\(client.port ?? 0)"
            try await SandboxUnderTest.run(
                .live,
                {
                    $0.v1WebhookURL = url + "/v1"
                    $0.v2WebhookURL = url + "/v2"
                    $0.v2WebhookSecrets = [Self.secret]
                    change(&$0)
                }
            ) { sandbox in try await body(sandbox, receiver) }
        }
    }

    static let secret = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="
}
