import Crypto
package import FoundationEssentials

/// Verifies that the sender of a webhook has the shared secret (Standard Webhooks 1.0.0; PortOne V2 contract,
/// webhooks).
///
/// A valid signature proves who sent the message, but the payment may have changed since: ask the gateway, and act on
/// its response.
package struct WebhookSignature: Sendable {
    private let keys: [SymmetricKey]
    private let tolerance: Duration

    /// Creates a verifier with the valid secrets: one, or two while a secret is being replaced.
    ///
    /// A secret is base64, with or without the prefix `whsec_`.
    ///
    /// - Parameter tolerance: the maximum age of a message, and the maximum lead of the sender's clock.
    /// - Throws: ``WebhookError/Code/unusableSecret``, also for an empty key, with which everybody could sign.
    package init(secrets: [Secret], tolerance: Duration = .seconds(300)) throws(WebhookError) {
        guard !secrets.isEmpty else { throw WebhookError(.unusableSecret, "a webhook secret is required") }
        var keys: [SymmetricKey] = []
        for secret in secrets { keys.append(try Self.key(secret)) }
        self.keys = keys
        self.tolerance = tolerance
    }

    private static func key(_ secret: Secret) throws(WebhookError) -> SymmetricKey {
        let prefix = "whsec_"
        let text = secret.text.hasPrefix(prefix) ? String(secret.text.dropFirst(prefix.count)) : secret.text
        guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else {
            throw WebhookError(.unusableSecret, "a webhook secret must be base64 and not empty")
        }
        return SymmetricKey(data: bytes)
    }

    /// Verifies a message.
    ///
    /// The body must be the received bytes, before any parsing.
    ///
    /// - Parameters:
    ///   - id: the `webhook-id` header.
    ///   - timestamp: the `webhook-timestamp` header.
    ///   - signature: the `webhook-signature` header: signatures separated by spaces. One valid signature is enough;
    ///     other versions are skipped.
    ///   - now: the current time.
    /// - Throws: ``WebhookError``.
    package func verify(
        id: String?, timestamp: String?, signature: String?, body: [UInt8], now: Date
    ) throws(WebhookError) {
        guard let id, !id.isEmpty, let timestamp, let seconds = Int64(timestamp), let signature else {
            throw WebhookError(.missingHeader, "webhook-id, webhook-timestamp and webhook-signature are required")
        }
        guard abs(now.timeIntervalSince1970 - Double(seconds)) <= tolerance / .seconds(1) else {
            throw WebhookError(.untimely, "webhook-timestamp is too far from now")
        }
        let signed = Array("\(id).\(timestamp).".utf8) + body
        let given = signature.split(separator: " ").compactMap(Self.code)
        for key in keys {
            // Compares in constant time.
            for code in given where HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key) {
                return
            }
        }
        throw WebhookError(.badSignature, "no signature is valid")
    }

    private static func code(_ signature: Substring) -> Data? {
        let parts = signature.split(separator: ",", maxSplits: 1)
        guard parts.count == 2, parts[0] == "v1" else { return nil }
        // Base64 has several texts for one value. Only the canonical one is accepted.
        guard let code = Data(base64Encoded: String(parts[1])), code.base64EncodedString() == parts[1] else {
            return nil
        }
        return code
    }
}
