import FoundationEssentials
import Logging
import OutboundHTTP
import SandboxGateway
import TestSupport
import WireFormats

@testable import PGVerifier

/// A sandbox gateway on a free port, with curl to talk to it.
struct GatewayUnderTest: Sendable {
    let url: HTTPURL
    let transport = CurlTransport()

    /// Runs `body` with a gateway of its own.
    static func run(_ body: @escaping @Sendable (GatewayUnderTest) async throws -> Void) async throws {
        let (ports, ready) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let configuration = SandboxGatewayConfiguration(port: 0)
                try await SandboxGateway(configuration: configuration, logger: .quiet).run { ready.yield($0) }
            }
            group.addTask {
                guard let port = await ports.first(where: { _ in true }) else { return }
                try await body(GatewayUnderTest(url: try HTTPURL("http://127.0.0.1:\(port)")))
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// A client whose deadlines pass by `time`; its pauses move that on.
    func client(
        secret: Secret = "sandbox-secret", maxAttempts: Int = 1,
        includeTestPayments: Bool = false, maxResponseBytes: Int = 1 << 20, time: ManualTime = ManualTime(),
        transport: (any HTTPTransport)? = nil, _ adjust: (inout GatewayLimits) -> Void = { _ in }
    ) -> PortOneV1 {
        var limits = GatewayLimits.unreachable
        limits.maxAttempts = maxAttempts
        // By a clock that stands still no bucket is ever filled again.
        limits.callsPerSecond = nil
        limits.maxResponseBytes = maxResponseBytes
        adjust(&limits)
        return PortOneV1(
            configuration: PortOneV1Configuration(
                url: url, key: "sandbox-key", secret: secret, includeTestPayments: includeTestPayments, limits: limits),
            transport: transport ?? self.transport, logger: .quiet,
            timing: GatewayTiming(time: time.time, pause: { await time.advance(by: $0) }))
    }

    /// Makes a payment, and the receipt that its buyer would present.
    func pay(_ members: String = #""amount": 1000"#, merchantUID: String = "order-1") async throws -> Receipt {
        let made = try await make(members, order: #""merchant_uid": "\#(merchantUID)""#)
        return .v1(impUID: try ImpUID(made["imp_uid"]?.text ?? ""), merchantUID: try MerchantUID(merchantUID))
    }

    /// Makes a payment, and tells what the gateway made.
    ///
    /// - Parameter order: the member with the order's id, whose name decides in which API the payment shows.
    func make(_ members: String, order: String) async throws -> JSON {
        try await control(.post, "sandbox", "payments", body: "{\(order), \(members)}")
    }

    /// Changes a payment as the gateway's console would.
    func change(_ payment: String, _ body: String) async throws {
        _ = try await control(.patch, "sandbox", "payments", payment, body: body)
    }

    func fault(_ members: String) async throws {
        _ = try await control(.put, "sandbox", "faults", body: "{\(members)}")
    }

    /// The requests that the gateway was sent to paths that begin with `path`.
    func journal(_ path: String) async throws -> [JSON] {
        let url = url.appending("sandbox", "journal", query: [("path", path)])
        let answer = try JSONParser.parse(try await transport.send(HTTPRequest(.get, url)).body)
        guard case .array(let requests) = answer["requests"] else { return [] }
        return requests
    }

    /// Waits until a request for a path that begins with `path` has come.
    func isAsked(_ path: String) async throws {
        try await eventually("\(path) is asked for") { try await !journal(path).isEmpty }
    }

    private func control(
        _ method: HTTPRequest.Method, _ segments: String..., body: String
    ) async throws -> JSON {
        let request = HTTPRequest(
            method, url.appending(segments), headers: [("Content-Type", "application/json")],
            body: Array(body.utf8))
        let response = try await transport.send(request)
        guard (200..<300).contains(response.status) else {
            throw ControlRefused(answer: String(decoding: response.body, as: UTF8.self))
        }
        return try JSONParser.parse(response.body)
    }

    struct ControlRefused: Error {
        let answer: String
    }
}

extension GatewayLimits {
    /// Time limits that no machine is so slow as to reach.
    static let unreachable = {
        var limits = GatewayLimits(totalTimeout: .seconds(3600))
        (limits.connectTimeout, limits.attemptTimeout, limits.cancelTimeout) = (
            .seconds(3600), .seconds(3600), .seconds(3600)
        )
        return limits
    }()
}

extension Logger {
    /// Says nothing: tests make things go wrong on purpose.
    static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// Answers from a script instead of a network.
struct ScriptedTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { try answer(request) }

    /// Gives a token to whoever asks, and `response` to every other question.
    static func payment(status: Int, _ body: String, headers: String = "") -> ScriptedTransport {
        ScriptedTransport { request in
            if request.method == .post {
                let token = #"{"code":0,"message":null,"response":{"access_token":"t","now":100,"expired_at":1900}}"#
                return HTTPResponse(status: 200, body: Array(token.utf8))
            }
            return HTTPResponse(
                status: status, headers: HTTPHeaders(raw: Array(headers.utf8)), body: Array(body.utf8))
        }
    }
}
