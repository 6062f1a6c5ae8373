/// Why signed data is not the App Store's word about our app.
package struct SignedDataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// It is not signed data, or a member of it can't be used.
        case malformed
        /// The chain, its markers, the algorithm or the signature is not the App Store's.
        case badSignature = "bad_signature"
        /// It says that it was signed later than now.
        case signedLater = "signed_later"
        /// A certificate of the chain is revoked.
        case revoked
        /// Whether a certificate is revoked could not be found out, and the configuration asks for it.
        case revocationUnknown = "revocation_unknown"
        /// It is about another app.
        case anotherApp = "another_app"
        /// It is of an environment that is not accepted.
        case anotherEnvironment = "another_environment"
    }

    package let code: Code

    /// A fixed text without signed data.
    package let message: String

    /// Whether the same data can be accepted later.
    package var isRetryable: Bool { code == .revocationUnknown }

    /// Code and message on one line.
    package var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension GatewayError {
    /// An answer of the gateway with signed data that is not accepted: never definite.
    init(_ error: SignedDataError) {
        self.init(
            error.code == .malformed ? .unreadablePayment : .malformedAnswer, httpStatus: 200,
            message: error.description)
    }
}
