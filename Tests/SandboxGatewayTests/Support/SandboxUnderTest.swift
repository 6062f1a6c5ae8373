import FoundationEssentials
import HTTPTestSupport
import Hummingbird
import Logging
import SandboxSupport
import SandboxTestSupport
import Synchronization
import TestSupport
import Testing

@testable import SandboxGateway

/// A stand-in gateway, called as a merchant's server and as a test would call it.
struct SandboxUnderTest: Sendable {
    let client: TestClient
    let clock: StoppedClock

    /// Runs `body` with a gateway of its own; only over a socket can a connection be broken.
    static func run(
        _ setup: TestingSetup = .router,
        _ change: @Sendable (inout SandboxGatewayConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (SandboxUnderTest) async throws -> Void
    ) async throws {
        let clock = StoppedClock()
        var configuration = SandboxGatewayConfiguration(port: 0, otherStoreIDs: ["store-other"])
        change(&configuration)
        let gateway = SandboxGateway(
            configuration: configuration, logger: .quiet,
            now: { clock.now })
        try await gateway.buildApplication().test(setup) { client in
            try await body(SandboxUnderTest(client: client, clock: clock))
        }
    }

    // MARK: As a merchant's server

    func token() async throws -> JSONValue {
        let answer = try await send(.post, "/users/getToken", json: Self.credentials)
        return answer["response"]
    }

    static let credentials = #"{"imp_key": "sandbox-key", "imp_secret": "sandbox-secret"}"#

    /// Calls with a fresh token.
    func call(_ method: HTTPRequest.Method, _ path: String, json: String? = nil) async throws -> Answer {
        try await send(method, path, json: json, authorization: try await token()["access_token"].text)
    }

    /// Calls V2 with the secret.
    func callV2(
        _ method: HTTPRequest.Method, _ path: String, json: String? = nil, key: String? = nil
    ) async throws -> Answer {
        try await send(method, path, json: json, authorization: "PortOne sandbox-v2-secret", key: key)
    }

    // MARK: As a test

    /// Makes a payment, V1's unless its members say otherwise, and returns its `imp_uid`.
    func pay(_ members: String = #""amount": 1000"#, merchantUID: String = "order-1") async throws -> String {
        try await make(#"{"merchant_uid": "\#(merchantUID)", \#(members)}"#)
    }

    /// Makes a payment of V2, and returns its `imp_uid`.
    func payV2(_ members: String = #""amount": 1000"#, paymentID: String = "order-1") async throws -> String {
        try await make(#"{"payment_id": "\#(paymentID)", \#(members)}"#)
    }

    private func make(_ payment: String) async throws -> String {
        let answer = try await send(.post, "/sandbox/payments", json: payment)
        #expect(answer.status == 201, "\(answer.text)")
        return answer["imp_uid"].text
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, json: String? = nil, form: String? = nil,
        authorization: String? = nil, key: String? = nil, tier: String? = nil
    ) async throws -> Answer {
        var headers = HTTPFields()
        headers[.tier] = tier
        headers[.idempotencyKey] = key
        headers[.contentType] =
            json != nil ? "application/json" : form != nil ? "application/x-www-form-urlencoded" : nil
        headers[.authorization] = authorization
        return try await client.execute(
            uri: path, method: method, headers: headers, body: (json ?? form).map { ByteBuffer(string: $0) }
        ) {
            Answer(
                status: $0.status.code, contentType: $0.headers[.contentType], text: String(buffer: $0.body),
                location: $0.headers[.location] ?? "")
        }
    }
}
