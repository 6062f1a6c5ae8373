import Crypto
package import FoundationEssentials

/// Tells whether a webhook comes from who shares a secret with us (Standard Webhooks 1.0.0; PortOne V2 contract,
/// webhooks).
///
/// A good signature proves who sent the message, not that it still holds: ask the gateway, and act on its answer.
package struct WebhookSignature: Sendable {
    private let keys: [SymmetricKey]
    private let tolerance: Duration

    /// Takes the secrets that are valid now: one, or two while one replaces the other.
    ///
    /// A secret is base64, with or without `whsec_` before it.
    ///
    /// - Parameter tolerance: how old a message may be, and how far ahead its sender's clock.
    /// - Throws: ``WebhookError/Code/unusableSecret``: with an empty key everybody could sign.
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

    /// Verifies a message: over the very bytes that came, before anybody reads them.
    ///
    /// - Parameters:
    ///   - id: the header `webhook-id`.
    ///   - timestamp: the header `webhook-timestamp`.
    ///   - signature: the header `webhook-signature`: signatures apart by spaces, of which those of other versions are
    ///     skipped, and any one that is ours is enough.
    ///   - now: the moment it is.
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
        // Base64 has several texts for one value; only the one that an encoder writes is taken.
        guard let code = Data(base64Encoded: String(parts[1])), code.base64EncodedString() == parts[1] else {
            return nil
        }
        return code
    }
}
