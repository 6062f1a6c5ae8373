import Foundation
import HTTPTypes
import Hummingbird
import Logging
import StandardWebhooks
import Synchronization
import TestSupport
import Testing

/// A shop's server that webhooks are sent to: it keeps what it is sent, and answers as the test wants.
final class HookReceiver: Sendable {
    /// A webhook as it came.
    struct Hook: Sendable {
        let seq: Int64
        let timestamp: String
        let signature: String
        let body: Data
        let path: String

        var json: JSON { JSON(Array(body)) }
        var user: String { json["user"].text ?? "" }
        var type: String { json["type"].text ?? "" }

        func verify(with verifier: WebhookVerifier, body other: Data? = nil) throws(WebhookVerificationError) {
            try verifier.verify(id: String(seq), timestamp: timestamp, signature: signature, body: other ?? body)
        }
    }

    /// What is answered.
    struct Reply: Sendable {
        var status = 200
        /// Whether it comes only after ``release()``.
        var isHeld = false
        var headers: [String: String] = [:]
        var body = ""

        static let ok = Reply()
        static func status(_ status: Int, _ headers: [String: String] = [:], body: String = "") -> Reply {
            Reply(status: status, headers: headers, body: body)
        }
        static let held = Reply(isHeld: true)
    }

    private let state = Mutex(State())

    private struct State {
        var port = 0
        var hooks: [Hook] = []
        var requests = 0
        var reply: @Sendable (Hook) -> Reply = { _ in .ok }
        var isReleased = false
    }

    private init() {}

    var port: Int { state.withLock { $0.port } }

    var url: String { "http://127.0.0.1:\(port)/hooks" }

    /// The settings with which a service may send here.
    static let settings = [
        "LEDGERD_ENDPOINT_KEY": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=",
        "LEDGERD_ENDPOINT_NETWORKS": "127.0.0.1",
    ]

    /// What was kept and answered with 200, in this order.
    var hooks: [Hook] { state.withLock { $0.hooks } }

    /// How many requests came, whatever they got.
    var requests: Int { state.withLock { $0.requests } }

    /// What was kept at a path; nil: at all.
    func kept(at path: String? = nil) -> [Hook] {
        hooks.filter { path == nil || $0.path == path }
    }

    func reply(_ reply: @escaping @Sendable (Hook) -> Reply) { state.withLock { $0.reply = reply } }

    /// Sends the replies that are held.
    func release() { state.withLock { $0.isReleased = true } }

    /// Lends a receiver.
    static func with(port: Int = 0, _ body: @escaping @Sendable (HookReceiver) async throws -> Void) async throws {
        let receiver = HookReceiver()
        let (ports, inlet) = AsyncStream<Int>.makeStream()
        let router = Router()
        router.post("**") { request, _ in try await receiver.take(request) }
        var logger = Logger(label: "receiver")
        logger.logLevel = .critical
        let server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in inlet.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                for await port in ports {
                    receiver.state.withLock { $0.port = port }
                    return try await body(receiver)
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func take(_ request: Request) async throws -> Response {
        let headers = request.headers
        func header(_ name: String) -> String { headers.first { $0.name.canonicalName == name }?.value ?? "" }
        let hook = Hook(
            seq: Int64(header("webhook-id")) ?? 0, timestamp: header("webhook-timestamp"),
            signature: header("webhook-signature"),
            body: Data(try await request.body.collect(upTo: 1 << 20).readableBytesView), path: request.uri.path)
        let reply = state.withLock { state in
            state.requests += 1
            return state.reply(hook)
        }
        if reply.isHeld { try await eventually("the reply is released") { state.withLock { $0.isReleased } } }
        if reply.status < 300 { state.withLock { $0.hooks.append(hook) } }
        var fields = HTTPFields()
        for (name, value) in reply.headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        return Response(
            status: .init(code: reply.status), headers: fields, body: .init(byteBuffer: ByteBuffer(string: reply.body)))
    }
}

extension HookReceiver {
    /// Expects each user's events in order, apart from repeats, and returns the numbers that came.
    @discardableResult
    func expectOrder(at path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) -> Set<Int64> {
        kept(at: path).map(\.json).expectOrder(sourceLocation: sourceLocation)
    }

    /// Expects that each user's balances follow from one event to the next.
    func expectBalances(at path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        kept(at: path).map(\.json).expectBalances(sourceLocation: sourceLocation)
    }
}

/// Events in the order in which a receiver kept them.
extension [JSON] {
    private var withoutRepeats: [JSON] {
        var seen: Set<Int64> = []
        return filter { seen.insert($0["seq"].integer ?? 0).inserted }
    }

    /// Expects each user's events in order, apart from repeats, and returns the numbers of the events.
    @discardableResult
    func expectOrder(sourceLocation: SourceLocation = #_sourceLocation) -> Set<Int64> {
        var last: [String: Int64] = [:]
        for event in withoutRepeats {
            let (user, seq) = (event["user"].text ?? "", event["seq"].integer ?? 0)
            #expect(last[user, default: 0] < seq, "user \(user)", sourceLocation: sourceLocation)
            last[user] = seq
        }
        return Set(map { $0["seq"].integer ?? 0 })
    }

    /// Expects that each user's balances follow from one event to the next, from the user's first event on.
    func expectBalances(sourceLocation: SourceLocation = #_sourceLocation) {
        var totals: [String: Int64] = [:]
        for event in withoutRepeats {
            guard let user = event["user"].text, let total = event["data"]["balance"]["total"].integer else { continue }
            let change = ["paid", "bonus", "held"].reduce(Int64(0)) { $0 + (event["data"]["change"][$1].integer ?? 0) }
            #expect(totals[user, default: 0] + change == total, "\(event)", sourceLocation: sourceLocation)
            totals[user] = total
        }
    }
}

extension Token {
    static func endpoints() -> String { make(sub: "an-integrator", scope: "endpoints events") }
}

extension Service {
    /// Creates an endpoint, and returns it as it was answered.
    func addEndpoint(_ url: String, _ members: String = "", key: String = UUID().uuidString) async throws -> JSON {
        let answer = try await post("/v1/endpoints", #"{"url": "\#(url)"\#(members)}"#, key: key, as: Token.endpoints())
        #expect(answer.status == 201, "\(answer)")
        return answer.json
    }

    func endpoint(_ id: Int64) async throws -> JSON { try await get("/v1/endpoints/\(id)", as: Token.endpoints()).json }

    /// Gives a user a coin, which is an event of the user.
    func give(_ user: String, coins: Int = 1) async throws {
        let answer = try await post(
            "/v1/users/\(user)/grants", #"{"coins": \#(coins), "reason": "test"}"#, key: UUID().uuidString)
        #expect(answer.status == 201, "\(answer)")
    }
}

extension Books {
    var lastEvent: Int64 { get async throws { try await count("SELECT coalesce(max(seq), 0) FROM event") } }

    /// The number of journal entries and occurrences without an event.
    var unnumbered: Int64 {
        get async throws {
            try await count(
                """
                SELECT (SELECT count(*) FROM journal_entry) + (SELECT count(*) FROM occurrence)
                    - (SELECT count(*) FROM event)
                """)
        }
    }

    /// Lets lanes that wait for their next attempt try now.
    func makeLanesDue() async throws {
        try await execute("UPDATE endpoint SET paused_until = NULL; UPDATE endpoint_lane SET next_attempt_at = now()")
    }
}
