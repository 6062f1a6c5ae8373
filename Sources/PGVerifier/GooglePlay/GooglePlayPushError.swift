/// Why a request is not a notification of Google Play about our app.
package struct GooglePlayPushError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The request has no token.
        case missingToken = "missing_token"
        /// The token can't be read.
        case malformedToken = "malformed_token"
        /// The algorithm, the key or the signature is not Google's.
        case badSignature = "bad_signature"
        /// Somebody else than Google made the token.
        case anotherIssuer = "another_issuer"
        /// The token is for another receiver.
        case anotherAudience = "another_audience"
        /// Another account sends, or one whose address Google has not verified.
        case anotherSender = "another_sender"
        /// The token is no longer valid, or not yet.
        case untimely
        /// Google's keys could not be read.
        case keysUnavailable = "keys_unavailable"
        /// The body is no notification.
        case malformedBody = "malformed_body"
        /// The message comes from another subscription.
        case anotherSubscription = "another_subscription"
        /// The notification is about another app.
        case anotherApp = "another_app"
    }

    package let code: Code

    /// A fixed text without tokens and bodies.
    package let message: String

    /// Whether the same request can be accepted later.
    package var isRetryable: Bool { code == .keysUnavailable }

    /// Code and message on one line.
    package var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
