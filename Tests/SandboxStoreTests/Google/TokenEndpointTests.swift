import FoundationEssentials
import JWTKit
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// Google's token endpoint, and what its tokens allow.
@Suite(.timeLimit(.minutes(20))) struct TokenEndpointTests {
    private struct Assertion: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int
        let exp: Int

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test func `an assertion that jwt-kit signs with the shown key is granted a token for an hour`() async throws {
        try await StoreUnderTest.run { store in
            let account = try await store.control(.get, "google")["service_account"]
            #expect(account["token_uri"] == .string("http://localhost/google/token"))
            let keys = JWTKeyCollection()
            await keys.add(
                rsa: try Insecure.RSA.PrivateKey(pem: account["private_key"].text), digestAlgorithm: .sha256,
                kid: JWKIdentifier(string: account["private_key_id"].text))
            let assertion = try await keys.sign(
                Assertion(
                    iss: account["client_email"].text, scope: "https://www.googleapis.com/auth/androidpublisher",
                    aud: "https://oauth2.googleapis.com/token", iat: 1_700_000_000, exp: 1_700_003_600))
            let granted = try await store.grant(assertion)
            #expect(granted.status == 200 && granted["token_type"] == .string("Bearer"))
            #expect(granted["expires_in"] == .int(3599))
            let token = granted["access_token"].text
            func isAccepted() async throws -> Bool {
                try await store.send(
                    .get, "/google/androidpublisher/v3/applications/com.example.coins/orders/GPA.1",
                    authorization: "Bearer \(token)"
                ).status == 404
            }
            #expect(try await isAccepted())
            // What a test advances is not the machine's time.
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 864000}"#)
            #expect(try await isAccepted())
            store.clock.advance(by: 3599)
            #expect(try await !isAccepted())
        }
    }

    /// An assertion with something wrong.
    struct BadAssertion: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var header: [String: JSONValue] = [:]
        var claims: [String: JSONValue] = [:]
        var hasOtherKey = false
        var error = "invalid_grant"

        static let all = [
            BadAssertion(testDescription: "alg", header: ["alg": .string("HS256")]),
            BadAssertion(testDescription: "iss", claims: ["iss": .string("other@example.com")]),
            BadAssertion(testDescription: "aud", claims: ["aud": .string("http://localhost/google/token")]),
            BadAssertion(testDescription: "expired", claims: ["exp": .int(1_700_000_000)]),
            BadAssertion(testDescription: "no exp", claims: ["exp": .null]),
            BadAssertion(testDescription: "too long", claims: ["exp": .int(1_700_003_601)]),
            BadAssertion(testDescription: "of later", claims: ["iat": .int(1_700_000_301)]),
            BadAssertion(testDescription: "key", hasOtherKey: true),
            BadAssertion(
                testDescription: "scope", claims: ["scope": .string("email")], error: "invalid_scope"),
        ]
    }

    @Test(arguments: BadAssertion.all)
    func `an assertion with anything wrong is refused`(bad: BadAssertion) async throws {
        try await StoreUnderTest.run { store in
            let assertion = try store.assertion(
                header: bad.header, claims: bad.claims, key: bad.hasOtherKey ? GoogleKeys.stranger : nil)
            let answer = try await store.grant(assertion)
            #expect(answer.status == 400 && answer["error"] == .string(bad.error), "\(answer.text)")
        }
    }

    @Test func `what is no assertion is refused`() async throws {
        try await StoreUnderTest.run { store in
            #expect(try await store.grant("x")["error"] == .string("invalid_grant"))
            let other = try await store.grant(try store.assertion(), type: "password")
            #expect(other.status == 400 && other["error"] == .string("unsupported_grant_type"))
        }
    }

    @Test func `without a good token nothing is answered, and tokens can be revoked`() async throws {
        try await StoreUnderTest.run { store in
            let path = "/google/androidpublisher/v3/applications/com.example.coins/orders/GPA.1"
            let token = try await store.accessToken()
            for authorization in [nil, "Bearer x", "Basic \(token)"] {
                let answer = try await store.send(.get, path, authorization: authorization)
                #expect(answer.status == 401)
                #expect(answer["error"]["errors"].elements.first?["reason"] == .string("authError"))
            }
            #expect(try await store.send(.get, path, authorization: "Bearer \(token)").status == 404)
            _ = try await store.control(.delete, "google/tokens")
            #expect(try await store.send(.get, path, authorization: "Bearer \(token)").status == 401)
        }
    }

    @Test func `faults answer as Google does, and the App Store as Apple does`() async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.accessToken()
            func order() async throws -> Answer {
                try await store.send(
                    .get, "/google/androidpublisher/v3/applications/com.example.coins/orders/GPA.1",
                    authorization: "Bearer \(token)")
            }
            _ = try await store.control(.put, "faults", #"{"path": "*", "kind": "refusal", "times": 2}"#)
            let refused = try await order()
            #expect(refused.status == 503 && refused["error"]["status"] == .string("UNAVAILABLE"))
            #expect(try await store.call(.get, "v1/transactions/1")["errorCode"] == .int(5_000_001))
            _ = try await store.control(.put, "faults", #"{"path": "/google/*", "kind": "token_expired"}"#)
            for _ in 1...2 { #expect(try await order().status == 401) }
        }
    }

    @Test func `a missing permission is another 401, which a new token does not mend`() async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.play()["purchase_token"].text
            _ = try await store.control(.put, "google/app", #"{"sees_finances": false}"#)
            #expect(try await store.purchaseV2(token).status == 200)
            for path in ["purchases/voidedpurchases", "orders/GPA.1", "orders:batchGet?orderIds=GPA.1"] {
                let answer = try await store.google(.get, path)
                #expect(answer.status == 401)
                #expect(answer["error"]["errors"].elements.first?["reason"] == .string("permissionDenied"))
            }
            _ = try await store.control(.put, "google/app", #"{"is_permitted": false}"#)
            #expect(try await store.purchaseV2(token).status == 401)
        }
    }

    @Test func `the journal doesn't show assertions`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.accessToken()
            let journal = try await store.control(.get, "journal?path=/google/token")
            #expect(journal["requests"].elements.count == 1 && !journal.text.contains("assertion"))
        }
    }
}
