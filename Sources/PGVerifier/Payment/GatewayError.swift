/// Why the gateway gave no usable answer.
///
/// A timeout, a broken answer or a 5xx leaves the truth *unknown*: ask again later, refuse nobody. Only an error that
/// ``isDefinite`` is the gateway's own word about the payment.
package struct GatewayError: Error, Hashable, Sendable {
    /// What went wrong.
    ///
    /// Codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name, also the `outcome` of the metrics.
        package let rawValue: String

        /// Names a code.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The gateway knows no such payment, and said so in its own envelope.
        package static let notFound = Code(rawValue: "not_found")
        /// No answer in time: the request may have been carried out.
        package static let timeout = Code(rawValue: "timeout")
        /// No connection: name not resolved, port refused, no route.
        package static let unreachable = Code(rawValue: "unreachable")
        /// The connection ended before the answer did.
        package static let connectionLost = Code(rawValue: "connection_lost")
        /// The gateway's certificate or TLS isn't to be trusted.
        package static let untrusted = Code(rawValue: "untrusted")
        /// The gateway takes neither our key pair nor a fresh token.
        package static let unauthorized = Code(rawValue: "unauthorized")
        /// Asked too often.
        package static let rateLimited = Code(rawValue: "rate_limited")
        /// The gateway answered in its envelope, and refused; see ``GatewayError/gatewayCode``.
        package static let refused = Code(rawValue: "refused")
        /// The answer isn't what the contract says: not JSON, another payment, an amount that is no money.
        package static let malformedAnswer = Code(rawValue: "malformed_answer")
        /// The answer is what the contract says, but for a payment in it that has no usable identity, money or state.
        package static let unreadablePayment = Code(rawValue: "unreadable_payment")
        /// The answer is larger than the bound.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The gateway wants to send us elsewhere; redirects are never followed.
        package static let redirect = Code(rawValue: "redirect")
        /// The gateway has failed too often of late, and isn't asked for a while; this question was never sent.
        package static let circuitOpen = Code(rawValue: "circuit_open")
        /// Too many questions wait on our side; this one was never sent.
        package static let overloaded = Code(rawValue: "overloaded")
        /// The same act, asked for before, is still being carried out.
        package static let stillRunning = Code(rawValue: "still_running")
        /// 5xx.
        package static let serverError = Code(rawValue: "server_error")
        /// Our own task was cancelled, or the transport shut down.
        package static let cancelled = Code(rawValue: "cancelled")
        /// We asked for something this gateway can't be asked.
        ///
        /// A bug.
        package static let invalidRequest = Code(rawValue: "invalid_request")
    }

    /// What went wrong.
    package let code: Code

    /// Whether the gateway itself said so in a well-formed envelope, so that the receipt may be refused.
    package let isDefinite: Bool

    /// The HTTP status, when there was an answer.
    package let httpStatus: Int?

    /// The envelope's `code`, when there was an envelope.
    package let gatewayCode: Int?

    /// The error's `type` that V2 gives instead.
    package let gatewayType: String?

    /// Bounded text for logs and people; no secrets, no personal data.
    package let message: String

    /// How long the gateway asked us to stay away.
    package let retryAfter: Duration?

    /// Whether the same question may have another answer later.
    package var isRetryable: Bool { !isDefinite && code != .invalidRequest }

    /// Describes a failure.
    ///
    /// `message` is cut to 200 characters.
    package init(
        _ code: Code, isDefinite: Bool = false, httpStatus: Int? = nil, gatewayCode: Int? = nil,
        gatewayType: String? = nil, message: String, retryAfter: Duration? = nil
    ) {
        self.code = code
        self.isDefinite = isDefinite
        self.httpStatus = httpStatus
        self.gatewayCode = gatewayCode
        self.gatewayType = gatewayType.map(Self.oneLine)
        self.message = Self.oneLine(message)
        self.retryAfter = retryAfter
    }

    /// The gateway chose the text: it must not be able to forge a log line.
    private static func oneLine(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars.prefix(200) {
            line.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return line
    }
}

extension GatewayError: CustomStringConvertible {
    /// Code, status and message on one line.
    package var description: String {
        let status = httpStatus.map { " (HTTP \($0))" } ?? ""
        return "\(code.rawValue)\(status): \(message)"
    }
}

extension GatewayError {
    /// No answer means nothing is known: never definite.
    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .timeout: .timeout
            case .unreachable, .overloaded: .unreachable
            case .connectionLost: .connectionLost
            case .untrusted: .untrusted
            case .tooLarge: .tooLarge
            case .malformedAnswer: .malformedAnswer
            case .cancelled: .cancelled
            case .invalidRequest: .invalidRequest
            }
        self.init(code, message: error.message)
    }
}
