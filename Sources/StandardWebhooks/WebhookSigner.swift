import Crypto
public import Foundation

/// Signs webhooks (Standard Webhooks 1.0.0).
public struct WebhookSigner: Sendable {
    private let secrets: [WebhookSecret]
    private let keys: [WebhookSigningKey]

    /// Creates a signer; each secret and each key adds a signature.
    ///
    /// While a secret or a key is being replaced, there are two.
    public init(secrets: [WebhookSecret], keys: [WebhookSigningKey] = []) {
        self.secrets = secrets
        self.keys = keys
    }

    /// The headers of a message: `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    ///
    /// - Parameters:
    ///   - id: the message's id, the same for each attempt, without a dot.
    ///   - now: the time of the attempt.
    ///   - body: the bytes that are sent.
    public func headers(id: String, now: Date, body: some DataProtocol) -> [(name: String, value: String)] {
        let timestamp = String(Int64(now.timeIntervalSince1970))
        return [
            (name: "webhook-id", value: id), (name: "webhook-timestamp", value: timestamp),
            (name: "webhook-signature", value: signature(of: SignedContent(id, timestamp, body))),
        ]
    }

    private func signature(of content: SignedContent) -> String {
        let symmetric = secrets.map { secret in
            "v1," + Data(HMAC<SHA256>.authenticationCode(for: content.bytes, using: secret.key)).base64EncodedString()
        }
        // Signing with a valid key does not fail; a message without this signature would still be refused.
        let asymmetric = keys.compactMap { key in
            (try? key.key.signature(for: content.bytes)).map { "v1a," + $0.base64EncodedString() }
        }
        return (symmetric + asymmetric).joined(separator: " ")
    }
}

/// What is signed: the id, the timestamp and the body, separated by dots.
struct SignedContent {
    let bytes: Data

    init(_ id: String, _ timestamp: String, _ body: some DataProtocol) {
        var bytes = Data("\(id).\(timestamp).".utf8)
        bytes.append(contentsOf: body)
        self.bytes = bytes
    }
}
