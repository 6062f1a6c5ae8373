/// Why a webhook isn't taken.
package struct WebhookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// No secret is configured, or an empty one, or one that isn't base64.
        ///
        /// A fault of the configuration.
        case unusableSecret = "unusable_secret"
        /// A header that the signature needs is missing or can't be read.
        case missingHeader = "missing_header"
        /// It was sent too long ago, or from the future: an old message may be played again.
        case untimely
        /// No signature is one of ours.
        case badSignature = "bad_signature"
        /// The body isn't a webhook.
        case malformedBody = "malformed_body"
    }

    /// What is wrong.
    package let code: Code

    /// Fixed text; never a secret, a signature or a body.
    package let message: String

    /// Code and message on one line.
    package var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
