/// Why a webhook is refused.
package struct WebhookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The configured secret is missing, empty or not base64.
        ///
        /// This is a configuration error.
        case unusableSecret = "unusable_secret"
        /// A header that the signature needs is missing or can't be read.
        case missingHeader = "missing_header"
        /// The timestamp is too old or in the future: the message may be a replay.
        case untimely
        /// No signature is valid.
        case badSignature = "bad_signature"
        /// The body is not a webhook.
        case malformedBody = "malformed_body"
        /// Whether the signature is valid can't be found out now: it is to be sent again.
        case unverifiable
    }

    /// The kind of error.
    package let code: Code

    /// A fixed text without secrets, signatures or bodies.
    package let message: String

    /// Code and message on one line.
    package var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
