import FoundationEssentials
import JWTKit
import SandboxSupport
import SandboxTestSupport
import TestSupport
import Testing

@testable import SandboxStore

/// The tokens of pushes.
extension PlayMessageTests {
    private struct Claims: JWTPayload {
        let iss: String
        let aud: String
        let email: String
        let isVerified: Bool
        let exp: ExpirationClaim

        enum CodingKeys: String, CodingKey {
            case iss, aud, email, exp
            case isVerified = "email_verified"
        }

        func verify(using algorithm: some JWTAlgorithm) throws { try exp.verifyNotExpired() }
    }

    private static func keys(of store: StoreUnderTest) async throws -> JWTKeyCollection {
        let answer = try await store.send(.get, "/google/oauth2/v3/certs")
        let keys = JWTKeyCollection()
        try await keys.add(jwks: JSONDecoder().decode(JWKS.self, from: Data(answer.text.utf8)))
        return keys
    }

    private static func token(_ message: WebhookReceiver.Message?) throws -> String {
        let header = try #require(message?.headers["authorization"])
        return String(header.dropFirst("Bearer ".count))
    }

    @Test func `jwt-kit accepts a push, by the keys that Google publishes`() async throws {
        try await Self.run(byMachineTime: true) { store, shop in
            var received = shop.messages.makeAsyncIterator()
            _ = try await store.control(.put, "google/app", #"{"push_audience": "https://shop.example.com"}"#)
            _ = try await store.control(.post, "google/messages", "{}")
            let message = await received.next()
            #expect(Self.data(message)["testNotification"] != .null)
            let claims = try await Self.keys(of: store).verify(try Self.token(message), as: Claims.self)
            #expect(claims.iss == "https://accounts.google.com" && claims.aud == "https://shop.example.com")
            #expect(claims.email == "pubsub-push@sandbox.iam.gserviceaccount.com" && claims.isVerified)
        }
    }

    @Test func `a new key signs, and the one before it is still published`() async throws {
        try await Self.run(byMachineTime: true) { store, shop in
            var received = shop.messages.makeAsyncIterator()
            _ = try await store.control(.post, "google/messages", "{}")
            let old = try Self.token(await received.next())
            let before = try await Self.keys(of: store)
            #expect(try await store.control(.post, "google/keys")["kid"] != .null)
            _ = try await store.control(.post, "google/messages", "{}")
            let new = try Self.token(await received.next())
            await #expect(throws: (any Error).self) { try await before.verify(new, as: Claims.self) }
            let after = try await Self.keys(of: store)
            for token in [old, new] { _ = try await after.verify(token, as: Claims.self) }
            let certificates = try await store.send(.get, "/google/oauth2/v1/certs")
            guard case .object(let found) = certificates.json else {
                Issue.record("not an object")
                return
            }
            #expect(found.count == 2)
            #expect(found.values.allSatisfy { $0.text.hasPrefix("-----BEGIN CERTIFICATE-----") })
        }
    }

    /// Defects that the signature or the time shows.
    @Test(arguments: [TokenDefect.unknownKey, .otherKey, .expired, .tampered, .hs256, .unsigned])
    func `jwt-kit refuses a token with a defect`(defect: TokenDefect) async throws {
        try await Self.run(byMachineTime: true) { store, shop in
            var received = shop.messages.makeAsyncIterator()
            _ = try await store.control(.post, "google/messages", #"{"token": "\#(defect.rawValue)"}"#)
            let token = try Self.token(await received.next())
            let keys = try await Self.keys(of: store)
            await #expect(throws: (any Error).self) { try await keys.verify(token, as: Claims.self) }
        }
    }

    /// Defects that only a comparison of the claims shows.
    @Test(arguments: [TokenDefect.otherAudience, .otherIssuer, .otherEmail, .unverifiedEmail])
    func `a well signed token differs in one claim`(defect: TokenDefect) async throws {
        try await Self.run(byMachineTime: true) { store, shop in
            var received = shop.messages.makeAsyncIterator()
            func claims(_ defect: TokenDefect) async throws -> [String] {
                _ = try await store.control(.post, "google/messages", #"{"token": "\#(defect.rawValue)"}"#)
                let token = try Self.token(await received.next())
                let claims = try await Self.keys(of: store).verify(token, as: Claims.self)
                return [claims.iss, claims.aud, claims.email, "\(claims.isVerified)"]
            }
            let good = try await claims(.none)
            let bad = try await claims(defect)
            #expect(zip(good, bad).filter { $0 != $1 }.count == 1)
        }
    }

    @Test func `a push may have no token`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            _ = try await store.control(.post, "google/messages", #"{"token": "missing"}"#)
            let message = await received.next()
            #expect(message != nil && message?.headers["authorization"] == nil)
        }
    }
}
