import OutboundHTTP

/// Why the gateway gave no usable answer.
///
/// After a timeout, a broken response or a 5xx the state is *unknown*: ask again later, refuse nobody. Only an error
/// with ``isDefinite`` is the gateway's statement about the payment.
package struct GatewayError: Error, Hashable, Sendable {
    /// What went wrong.
    ///
    /// New codes can be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name, also the `outcome` of the metrics.
        package let rawValue: String

        /// A code with a name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The gateway does not know the payment, and said so in its own envelope.
        package static let notFound = Code(rawValue: "not_found")
        /// The gateway does not know it yet, and said that it may later.
        package static let notFoundYet = Code(rawValue: "not_found_yet")
        /// No response in time: the request may have been carried out.
        package static let timeout = Code(rawValue: "timeout")
        /// No connection: name not resolved, port refused, no route.
        package static let unreachable = Code(rawValue: "unreachable")
        /// The connection ended before the response.
        package static let connectionLost = Code(rawValue: "connection_lost")
        /// The gateway's certificate or TLS is not trusted.
        package static let untrusted = Code(rawValue: "untrusted")
        /// The gateway refuses our key pair and a new token.
        package static let unauthorized = Code(rawValue: "unauthorized")
        /// Too many requests.
        package static let rateLimited = Code(rawValue: "rate_limited")
        /// The gateway refused, in its envelope; see ``GatewayError/gatewayCode``.
        package static let refused = Code(rawValue: "refused")
        /// The response breaks the contract: not JSON, another payment, an invalid amount.
        package static let malformedAnswer = Code(rawValue: "malformed_answer")
        /// The response follows the contract, except for a payment without a usable id, amount or status.
        package static let unreadablePayment = Code(rawValue: "unreadable_payment")
        /// The response is larger than the limit.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The gateway redirects; redirects are never followed.
        package static let redirect = Code(rawValue: "redirect")
        /// The circuit breaker is open after too many failures; this request was never sent.
        package static let circuitOpen = Code(rawValue: "circuit_open")
        /// Too many requests wait in this process; this one was never sent.
        package static let overloaded = Code(rawValue: "overloaded")
        /// The gateway is still carrying out the same request.
        package static let stillRunning = Code(rawValue: "still_running")
        /// 5xx.
        package static let serverError = Code(rawValue: "server_error")
        /// Our own task was cancelled, or the transport shut down.
        package static let cancelled = Code(rawValue: "cancelled")
        /// The request is not valid for this gateway.
        ///
        /// A bug.
        package static let invalidRequest = Code(rawValue: "invalid_request")
    }

    /// What went wrong.
    package let code: Code

    /// Whether the gateway itself said so in a well-formed envelope, so that the receipt can be refused.
    package let isDefinite: Bool

    /// The HTTP status, if there was a response.
    package let httpStatus: Int?

    /// The envelope's `code`, if there was an envelope.
    package let gatewayCode: Int?

    /// V2's error `type`.
    package let gatewayType: String?

    /// Text of limited length for logs and people, without secrets and personal data.
    package let message: String

    /// The gateway's `Retry-After`.
    package let retryAfter: Duration?

    /// Whether the same request can have another result later.
    package var isRetryable: Bool { !isDefinite && code != .invalidRequest }

    /// Whether the gateway has known the payment, does not know it any more, and lists no refund of it.
    package internal(set) var isOfForgottenPayment = false

    /// Whether it is known that nothing was sent that changes something, whatever the code says.
    private var hasNoEffect = false

    /// Whether the gateway may have received the request, and may carry it out.
    package var mayHaveBeenCarriedOut: Bool {
        if hasNoEffect { return false }
        return switch code {
        case .unreachable, .untrusted, .unauthorized, .rateLimited, .circuitOpen, .overloaded, .invalidRequest: false
        default: true
        }
    }

    /// A failure.
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

    /// The same error of a request of which nothing was sent that changes something.
    var withoutEffect: GatewayError {
        var error = self
        error.hasNoEffect = true
        return error
    }

    /// The gateway wrote the text, so it must not forge a log line.
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
    /// Without a response nothing is known: never definite.
    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .timeout: .timeout
            case .unreachable, .forbiddenAddress, .overloaded: .unreachable
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
