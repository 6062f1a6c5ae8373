import Crypto
public import Foundation

/// Verifies that a webhook comes from its sender and was not changed (Standard Webhooks 1.0.0).
///
/// ```swift
/// let verifier = try WebhookVerifier(secrets: ["whsec_…"])
/// try verifier.verify(
///     id: headers["webhook-id"], timestamp: headers["webhook-timestamp"], signature: headers["webhook-signature"],
///     body: body)
/// ```
///
/// A webhook can come several times. Process each `webhook-id` once.
public struct WebhookVerifier: Sendable {
    private let secrets: [WebhookSecret]
    private let keys: [WebhookPublicKey]
    private let tolerance: TimeInterval

    /// Creates a verifier with the valid secrets and public keys: one, or two while one is being replaced.
    ///
    /// - Parameters:
    ///   - secrets: shared secrets, base64 with or without `whsec_`, for signatures of the version `v1`.
    ///   - publicKeys: the sender's Ed25519 keys, base64 with or without `whpk_`, for the version `v1a`.
    ///   - tolerance: the maximum age of an attempt, and the maximum lead of the sender's clock, in seconds.
    /// - Throws: ``WebhookVerificationError/unusableKey`` for an invalid or empty secret or key, or if there is none.
    public init(
        secrets: [String], publicKeys: [String] = [], tolerance: TimeInterval = 300
    ) throws(WebhookVerificationError) {
        self.secrets = secrets.compactMap { WebhookSecret($0) }
        keys = publicKeys.compactMap { WebhookPublicKey($0) }
        self.tolerance = tolerance
        let isComplete = self.secrets.count == secrets.count && keys.count == publicKeys.count
        guard isComplete, !secrets.isEmpty || !keys.isEmpty else { throw .unusableKey }
    }

    /// Verifies a webhook; one valid signature is enough.
    ///
    /// - Parameters:
    ///   - id: the header `webhook-id`.
    ///   - timestamp: the header `webhook-timestamp`.
    ///   - signature: the header `webhook-signature`: signatures separated by spaces.
    ///   - body: the received bytes, before any parsing.
    ///   - now: the current time.
    /// - Throws: ``WebhookVerificationError``: do not process the webhook.
    public func verify(
        id: String?, timestamp: String?, signature: String?, body: some DataProtocol, now: Date = Date()
    ) throws(WebhookVerificationError) {
        guard let id, !id.isEmpty, let timestamp, let seconds = Int64(timestamp), let signature else {
            throw .missingHeader
        }
        guard abs(now.timeIntervalSince1970 - Double(seconds)) <= tolerance else { throw .untimely }
        let content = SignedContent(id, timestamp, body).bytes
        guard signature.split(separator: " ").contains(where: { isValid($0, of: content) }) else { throw .badSignature }
    }

    private func isValid(_ signature: Substring, of content: Data) -> Bool {
        let parts = signature.split(separator: ",", maxSplits: 1)
        // Base64 has several texts for one value. Only the canonical one is accepted.
        guard parts.count == 2, let code = Data(base64Encoded: String(parts[1])), code.base64EncodedString() == parts[1]
        else { return false }
        switch parts[0] {
        case "v1":
            // Compares in constant time.
            return secrets.contains {
                HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: content, using: $0.key)
            }
        case "v1a": return keys.contains { $0.key.isValidSignature(code, for: content) }
        default: return false
        }
    }
}

/// Why a webhook is not accepted.
public enum WebhookVerificationError: Error, Hashable, Sendable {
    /// A secret or a key is not base64 of a usable length, or there is none.
    case unusableKey
    /// `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or malformed.
    case missingHeader
    /// The timestamp is too far from now: the attempt is old, or a clock is wrong.
    case untimely
    /// No signature is valid: another secret, or a changed message.
    case badSignature
}
