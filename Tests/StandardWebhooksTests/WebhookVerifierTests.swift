import Crypto
import Foundation
import StandardWebhooks
import Testing

@Suite(.timeLimit(.minutes(20))) struct WebhookVerifierTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)
    private let body = Data(#"{"type":"coins.spent","user":"ann"}"#.utf8)

    private func signed(by signer: WebhookSigner) throws -> Headers {
        let headers = signer.headers(id: "7", now: now, body: body)
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        return Headers(id: headers[0].value, timestamp: headers[1].value, signature: headers[2].value)
    }

    private struct Headers {
        var id: String
        var timestamp: String
        var signature: String
    }

    private func verify(
        _ headers: Headers, with verifier: WebhookVerifier, body: Data? = nil, after seconds: TimeInterval = 0
    ) throws(WebhookVerificationError) {
        try verifier.verify(
            id: headers.id, timestamp: headers.timestamp, signature: headers.signature, body: body ?? self.body,
            now: now + seconds)
    }

    @Test func `what is signed with the secret is accepted, and refused when anything is altered`() throws {
        let secret = WebhookSecret()
        let headers = try signed(by: WebhookSigner(secrets: [secret]))
        let verifier = try WebhookVerifier(secrets: [secret.text])
        try verify(headers, with: verifier)
        var other = headers
        other.id = "8"
        #expect(throws: WebhookVerificationError.badSignature) { try verify(other, with: verifier) }
        other = headers
        other.timestamp = "1767225601"
        #expect(throws: WebhookVerificationError.badSignature) { try verify(other, with: verifier) }
        #expect(throws: WebhookVerificationError.badSignature) {
            try verify(headers, with: verifier, body: body + Data(" ".utf8))
        }
        #expect(throws: WebhookVerificationError.badSignature) {
            try verify(headers, with: try WebhookVerifier(secrets: [WebhookSecret().text]))
        }
        for seconds in [-301.0, 301] {
            #expect(throws: WebhookVerificationError.untimely) { try verify(headers, with: verifier, after: seconds) }
        }
    }

    @Test func `the signature is the one that the specification computes`() throws {
        // HMAC-SHA256 over id.timestamp.body, by hand.
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let headers = try signed(by: WebhookSigner(secrets: [secret]))
        let key = SymmetricKey(data: try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        let code = HMAC<SHA256>.authenticationCode(for: Data("7.1767225600.".utf8) + body, using: key)
        #expect(headers.signature == "v1," + Data(code).base64EncodedString())
    }

    @Test func `during a rotation the old and the new secret both verify`() throws {
        let (old, new) = (WebhookSecret(), WebhookSecret())
        let headers = try signed(by: WebhookSigner(secrets: [new, old]))
        #expect(headers.signature.split(separator: " ").count == 2)
        for secret in [old, new] { try verify(headers, with: try WebhookVerifier(secrets: [secret.text])) }
    }

    @Test func `a public key verifies without any secret`() throws {
        let key = WebhookSigningKey()
        let headers = try signed(by: WebhookSigner(secrets: [WebhookSecret()], keys: [key]))
        #expect(headers.signature.contains(" v1a,"))
        let verifier = try WebhookVerifier(secrets: [], publicKeys: [key.publicKey.text])
        try verify(headers, with: verifier)
        #expect(throws: WebhookVerificationError.badSignature) { try verify(headers, with: verifier, body: Data()) }
        let other = try WebhookVerifier(secrets: [], publicKeys: [WebhookSigningKey().publicKey.text])
        #expect(throws: WebhookVerificationError.badSignature) { try verify(headers, with: other) }
    }

    @Test(arguments: ["", "whsec_", "whsec_%%", "whpk_AAAA"])
    func `an unusable key is refused at once`(text: String) {
        #expect(throws: WebhookVerificationError.unusableKey) { try WebhookVerifier(secrets: [text]) }
        #expect(throws: WebhookVerificationError.unusableKey) { try WebhookVerifier(secrets: [], publicKeys: [text]) }
        #expect(throws: WebhookVerificationError.unusableKey) { try WebhookVerifier(secrets: []) }
    }

    @Test func `secrets and keys are read back from their texts, and are not printed`() throws {
        let (secret, key) = (WebhookSecret(), WebhookSigningKey())
        #expect(try #require(WebhookSecret(secret.text)).text == secret.text)
        #expect(try #require(WebhookSigningKey(key.text)).publicKey == key.publicKey)
        #expect(WebhookPublicKey(key.publicKey.text) == key.publicKey)
        for printed in ["\(secret)", "\(key)", String(reflecting: [secret]), String(reflecting: [key])] {
            #expect(!printed.contains(secret.text.dropFirst(6)) && !printed.contains(key.text.dropFirst(5)))
        }
    }
}
