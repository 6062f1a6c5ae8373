import OutboundHTTP
import TestSupport
import Testing

@testable import PGVerifier

/// What can go wrong between us and a gateway, with the caller's answer, in which time, after how many attempts.
@Suite(.timeLimit(.minutes(20))) struct FaultTableTests {
    @Test(arguments: Fault.all, GatewayKind.allCases)
    func `every fault is a typed error, after three attempts at most`(
        fault: Fault, kind: GatewayKind
    ) async throws {
        let server = try RawServer(head: fault.head, filler: fault.filler, ending: fault.ending)
        // Silence ends with the attempt's time, which nothing else needs.
        let (gateway, receipt) = try kind.gateway(
            at: server.port, attemptTimeout: fault.code == .timeout ? .seconds(1) : .seconds(50))
        let error = await #expect(throws: GatewayError.self) { try await gateway.payment(for: receipt) }
        #expect(error?.code == fault.code)
        #expect(error?.isDefinite == false)
        #expect(server.connections == fault.attempts)
        if let error { #expect(verdict(after: error) == .wait(.gatewayUnavailable)) }
    }

    @Test(arguments: GatewayKind.allCases)
    func `a gateway that isn't there is unreachable`(kind: GatewayKind) async throws {
        let port = try RawServer(head: "").port
        let (gateway, receipt) = try kind.gateway(at: port)
        let error = await #expect(throws: GatewayError.self) { try await gateway.payment(for: receipt) }
        #expect(error?.code == .unreachable && error?.isDefinite == false)
    }

    @Test(arguments: GatewayKind.allCases)
    func `the gateway's own word is definite, and asked for once`(kind: GatewayKind) async throws {
        let server = try RawServer(head: .http(404, kind.unknownPayment))
        let (gateway, receipt) = try kind.gateway(at: server.port)
        let error = await #expect(throws: GatewayError.self) { try await gateway.payment(for: receipt) }
        #expect(error?.code == .notFound && error?.isDefinite == true)
        #expect(server.connections == 1)
        if let error { #expect(verdict(after: error) == .refuse(.paymentNotFound)) }
    }

    @Test func `V1's refusal under HTTP 200 is reported as a refusal, and refuses nobody`() async throws {
        let server = try RawServer(head: .http(200, #"{"code":-1,"message":"x","response":null}"#))
        let (gateway, receipt) = try GatewayKind.v1.gateway(at: server.port)
        let error = await #expect(throws: GatewayError.self) { try await gateway.payment(for: receipt) }
        #expect(error?.code == .refused && error?.isDefinite == false)
        #expect(server.connections == 1)
    }

    @Test func `a token that ends in flight is renewed once for 64 calls at once`() async throws {
        try await GatewayUnderTest.run { gateway in
            var receipts: [Receipt] = []
            for number in 0..<64 { receipts.append(try await gateway.pay(merchantUID: "order-\(number)")) }
            let client = gateway.client(maxAttempts: 3) { limits in
                limits.lookupsAtOnce = 64
                limits.maxConcurrentCalls = 64
            }
            _ = try await client.payment(for: receipts[0])
            try await gateway.fault(#""kind": "token_expired", "path": "/payments""#)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for receipt in receipts { group.addTask { _ = try await client.payment(for: receipt) } }
                try await group.waitForAll()
            }
            #expect(try await gateway.journal("/users/getToken").count == 2)
        }
    }
}

/// One row of the table.
struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let head: String
    var filler = ""
    var ending = RawServer.Ending.close
    let code: GatewayError.Code
    var attempts = 3

    var testDescription: String { name }

    static let all = [
        Fault(name: "silence", head: "", ending: .silence, code: .timeout),
        Fault(
            name: "a byte a second", head: "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", ending: .drip,
            code: .timeout),
        Fault(name: "reset", head: "", ending: .reset, code: .connectionLost),
        Fault(name: "closed without an answer", head: "", code: .connectionLost),
        Fault(
            name: "cut short", head: "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"code\":0", code: .connectionLost),
        Fault(name: "429", head: .http(429, ""), code: .rateLimited),
        Fault(name: "429 for a minute", head: .http(429, "", "Retry-After: 60\r\n"), code: .rateLimited, attempts: 1),
        Fault(name: "500", head: .http(500, ""), code: .serverError),
        Fault(name: "502", head: .http(502, "<html>Bad Gateway</html>"), code: .serverError),
        Fault(name: "503", head: .http(503, "", "Retry-After: 0\r\n"), code: .serverError),
        Fault(name: "HTML with 200", head: .http(200, "<html>maintenance</html>"), code: .malformedAnswer, attempts: 1),
        Fault(name: "half of the JSON", head: .http(200, #"{"code":0,"mess"#), code: .malformedAnswer, attempts: 1),
        Fault(
            name: "endless body", head: "HTTP/1.1 200 OK\r\n\r\n", filler: String(repeating: "x", count: 10_000),
            code: .tooLarge, attempts: 1),
        Fault(name: "HTML with 404", head: .http(404, "<html>404</html>"), code: .malformedAnswer, attempts: 1),
        Fault(name: "redirect", head: .http(302, "", "Location: /login\r\n"), code: .redirect, attempts: 1),
        Fault(name: "not HTTP", head: "SSH-2.0-OpenSSH_9.2\r\n", code: .malformedAnswer, attempts: 1),
    ]
}

enum GatewayKind: CaseIterable, Sendable {
    case v1
    case v2

    var unknownPayment: String {
        switch self {
        case .v1: #"{"code":-1,"message":"none","response":null}"#
        case .v2: #"{"type":"PAYMENT_NOT_FOUND"}"#
        }
    }

    /// A client with time for three attempts, and a receipt to ask about.
    func gateway(
        at port: Int, attemptTimeout: Duration = .seconds(50)
    ) throws -> (any PaymentGateway, Receipt) {
        let url = try HTTPURL("http://127.0.0.1:\(port)")
        // No machine is so slow as to reach them: three attempts and the pauses are by a clock that only pauses move.
        var limits = GatewayLimits.unreachable
        limits.totalTimeout = .seconds(50)
        limits.attemptTimeout = attemptTimeout
        let timing = InstantTiming().timing
        switch self {
        case .v1:
            let configuration = PortOneV1Configuration(url: url, key: "key", secret: "secret", limits: limits)
            let gateway = PortOneV1(
                configuration: configuration, transport: CurlWithToken(), logger: .quiet, timing: timing)
            return (gateway, .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o")))
        case .v2:
            let configuration = PortOneV2Configuration(url: url, secret: "secret", storeID: "store-1", limits: limits)
            return (PortOneV2(configuration: configuration, transport: CurlTransport(), timing: timing), try V2.receipt)
        }
    }
}

/// curl, but for V1's token, which is there at once.
private struct CurlWithToken: HTTPTransport {
    private let curl = CurlTransport()
    private let tokens = ScriptedGateway(.fail(.invalidRequest))

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        request.url.text.hasSuffix("/users/getToken") ? try await tokens.send(request) : try await curl.send(request)
    }
}

extension String {
    /// A whole HTTP answer.
    fileprivate static func http(_ status: Int, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
    }
}
