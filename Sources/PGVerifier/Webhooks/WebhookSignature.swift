package import FoundationEssentials
import StandardWebhooks

/// Verifies that the sender of a gateway's webhook has the shared secret (PortOne V2 contract, webhooks).
///
/// A valid signature proves who sent the message, but the payment may have changed since: ask the gateway, and act on
/// its response.
package struct WebhookSignature: Sendable {
    private let verifier: WebhookVerifier

    /// Creates a verifier with the valid secrets: one, or two while a secret is being replaced.
    ///
    /// A secret is base64, with or without the prefix `whsec_`.
    ///
    /// - Parameter tolerance: the maximum age of a message, and the maximum lead of the sender's clock.
    /// - Throws: ``WebhookError/Code/unusableSecret``, also for an empty key, with which everybody could sign.
    package init(secrets: [Secret], tolerance: Duration = .seconds(300)) throws(WebhookError) {
        do throws(WebhookVerificationError) {
            verifier = try WebhookVerifier(secrets: secrets.map(\.text), tolerance: tolerance / .seconds(1))
        } catch {
            throw WebhookError(error)
        }
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
        do throws(WebhookVerificationError) {
            try verifier.verify(id: id, timestamp: timestamp, signature: signature, body: body, now: now)
        } catch {
            throw WebhookError(error)
        }
    }
}

extension WebhookError {
    fileprivate init(_ error: WebhookVerificationError) {
        switch error {
        case .unusableKey: self.init(.unusableSecret, "a webhook secret must be base64 and not empty")
        case .missingHeader:
            self.init(.missingHeader, "webhook-id, webhook-timestamp and webhook-signature are required")
        case .untimely: self.init(.untimely, "webhook-timestamp is too far from now")
        case .badSignature: self.init(.badSignature, "no signature is valid")
        }
    }
}
