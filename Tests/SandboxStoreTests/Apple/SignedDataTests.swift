import FoundationEssentials
import HTTPTestSupport
import Hummingbird
import JWTKit
import SandboxSupport
import SandboxTestSupport
import Synchronization
import Testing
import X509

@testable import SandboxStore

/// The signatures, judged by jwt-kit and swift-certificates.
@Suite(.timeLimit(.minutes(20))) struct SignedDataTests {
    private struct Payload: JWTPayload {
        let transactionId: String
        let quantity: Int

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// Without Apple's rules a verifier passes all of the first list, so each of these has no other defect than its own.
    @Test(arguments: [
        ("none", true), ("no_leaf_oid", true), ("no_intermediate_oid", true), ("four_long", true),
        ("two_long", true), ("rsa_leaf", true),
        ("critical_oid", false), ("other_root", false), ("expired", false), ("tampered", false), ("hs256", false),
    ])
    func `a plain verifier passes what only Apple's rules forbid, and no other defect`(
        defect: String, passes: Bool
    ) async throws {
        try await StoreUnderTest.run(byMachineTime: true) { store in
            let root = try await Self.root(of: store)
            let bought = try await store.buy(#""signing": "\#(defect)""#)
            let verifier = try X5CVerifier(rootCertificates: [root])
            do {
                let payload = try await verifier.verifyJWS(bought["signed_transaction"].text, as: Payload.self)
                #expect(passes && payload.transactionId == bought["transaction_id"].text && payload.quantity == 1)
            } catch {
                #expect(!passes, "\(error)")
            }
        }
    }

    @Test func `the chain has Apple's markers, curves and lengths`() async throws {
        try await StoreUnderTest.run(byMachineTime: true) { store in
            let chain = try await Self.chain(of: store)
            #expect(chain.count == 3)
            #expect(try await chain.last == Self.root(of: store))
            for certificate in chain { #expect(certificate.signatureAlgorithm == .ecdsaWithSHA384) }
            let markers = chain.map { certificate in
                certificate.extensions.filter { $0.oid.oidComponents.starts(with: [1, 2, 840, 113635]) }
            }
            #expect(markers[0].map { "\($0.oid)" } == ["1.2.840.113635.100.6.11.1"])
            #expect(markers[1].map { "\($0.oid)" } == ["1.2.840.113635.100.6.2.1"])
            #expect(markers.joined().allSatisfy { !$0.critical } && markers[2].isEmpty)
        }
    }

    @Test(arguments: [
        ("four_long", 4, "ES256"), ("two_long", 2, "ES256"), ("rsa_leaf", 3, "RS256"), ("hs256", 3, "HS256"),
        ("other_root", 3, "ES256"),
    ])
    func `a defect is in the header`(defect: String, length: Int, algorithm: String) async throws {
        try await StoreUnderTest.run { store in
            let header = Self.header(try await store.buy(#""signing": "\#(defect)""#)["signed_transaction"])
            #expect(header["x5c"].elements.count == length && header["alg"] == .string(algorithm))
        }
    }

    @Test func `any payload can be signed`() async throws {
        try await StoreUnderTest.run { store in
            let signed = try await store.control(
                .post, "apple/jws", #"{"payload": {"environment": "Xcode", "quantity": 2}, "signing": "no_leaf_oid"}"#)
            let payload = StoreUnderTest.payload(signed["jws"])
            #expect(payload == .object(["environment": .string("Xcode"), "quantity": .int(2)]))
            #expect(try await store.control(.post, "apple/jws", "{}")["field"] == .string("payload"))
        }
    }

    // MARK: OCSP

    @Test(arguments: [
        ("good", true, true), ("revoked", false, false), ("unknown", false, true), ("stale", false, true),
        // swift-certificates allows clocks that differ by 75 minutes; Apple's library allows one minute.
        ("future", true, true), ("try_later", false, true), ("error", false, false),
    ])
    func `a verifier tells the responder's answers apart`(mode: String, hard: Bool, soft: Bool) async throws {
        try await StoreUnderTest.run(byMachineTime: true) { store in
            let chain = try await Self.chain(of: store)
            #expect(try await store.control(.put, "apple/ocsp", #"{"mode": "\#(mode)"}"#).status == 200)
            for (failureMode, expected) in [(OCSPFailureMode.hard, hard), (.soft, soft)] {
                let result = await Self.validate(chain, failureMode, Requester(store: store))
                let isValid = if case .validCertificate = result { true } else { false }
                #expect(isValid == expected, "\(failureMode): \(result)")
            }
        }
    }

    @Test func `a responder that is down resets the connection`() async throws {
        try await StoreUnderTest.run(.live) { store in
            _ = try await store.control(.put, "apple/ocsp", #"{"mode": "down"}"#)
            await #expect(throws: (any Error).self) { try await store.send(.post, "/apple/ocsp", json: "") }
        }
    }

    @Test(arguments: ["", "0", "0\u{3}", "0\u{2}0\u{0}"])
    func `what is no request is malformed`(body: String) async throws {
        try await StoreUnderTest.run { store in
            let answer = try await store.send(.post, "/apple/ocsp", json: body)
            #expect(answer.status == 200 && answer.text == "0\u{3}\u{a}\u{1}\u{1}")
        }
    }

    /// Asks once more for each time that the verifier gave up to wait, which it does after ten seconds of a busy machine.
    private static func validate(
        _ chain: [Certificate], _ failureMode: OCSPFailureMode, _ requester: Requester
    ) async -> CertificateValidationResult {
        var verifier = Verifier(rootCertificates: CertificateStore([chain[2]])) {
            RFC5280Policy()
            OCSPVerifierPolicy(failureMode: failureMode, requester: requester)
        }
        while true {
            let result = await verifier.validate(leaf: chain[0], intermediates: CertificateStore([chain[1]]))
            guard requester.wasGivenUp.exchange(false, ordering: .relaxed) else { return result }
        }
    }

    /// Asks the responder that is named in the certificate.
    private final class Requester: OCSPRequester {
        let store: StoreUnderTest
        let wasGivenUp = Atomic(false)

        init(store: StoreUnderTest) { self.store = store }

        func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
            defer { if Task.isCancelled { wasGivenUp.store(true, ordering: .relaxed) } }
            do {
                let answer = try await store.client.execute(
                    uri: String(uri.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }), method: .post,
                    body: ByteBuffer(bytes: request))
                guard answer.status == .ok else { return .terminalError(Refused()) }
                return .response(Array(answer.body.readableBytesView))
            } catch {
                return .terminalError(error)
            }
        }

        struct Refused: Error {}
    }

    // MARK: Parts

    private static func root(of store: StoreUnderTest) async throws -> Certificate {
        let text = try await store.control(.get, "apple")["root_certificate"].text
        return try Certificate(derEncoded: Array(try #require(Data(base64Encoded: text))))
    }

    private static func chain(of store: StoreUnderTest) async throws -> [Certificate] {
        try header(try await store.buy()["signed_transaction"])["x5c"].elements.map {
            try Certificate(derEncoded: Array(try #require(Data(base64Encoded: $0.text))))
        }
    }

    private static func header(_ jws: JSONValue) -> JSONValue {
        guard let part = jws.text.split(separator: ".").first, let bytes = Base64URL.decode(part) else { return .null }
        return (try? JSONDecoder().decode(JSONValue.self, from: bytes)) ?? .null
    }
}
