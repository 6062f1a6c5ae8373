/// What became of a ``CancellationRequest``.
package enum CancellationOutcome: Hashable, Sendable {
    /// The money is on its way back: book it under the cancellation's id.
    case done(GatewayCancellation)
    /// Accepted, and carried out later: wait for the webhook, or ask again; nil while the gateway doesn't show it yet.
    case pending(GatewayCancellation?)
    /// Definitely nothing happened, and nothing will under this request.
    case refused(CancellationRefusal)
}

/// Why nothing was cancelled.
package struct CancellationRefusal: Hashable, Sendable {
    /// The reasons; the raw values are stable names.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The gateway knows no such payment.
        case paymentNotFound = "payment_not_found"
        /// The payment was never paid.
        case paymentNotPaid = "payment_not_paid"
        /// Nothing is left to cancel.
        case alreadyCancelled = "already_cancelled"
        /// Another amount is left than the caller believed, so the gateway did nothing.
        case balanceChanged = "balance_changed"
        /// More was asked for than is left, or nothing at all.
        case invalidAmount = "invalid_amount"
        /// The gateway or the payment company behind it won't: too late, no partial cancellation, an account is needed.
        case refusedByGateway = "refused_by_gateway"
    }

    /// Why.
    package let reason: Reason

    /// The gateway's own code, for people.
    package let gatewayCode: String?

    /// The gateway's own words, for people; bounded, on one line.
    package let message: String

    init(_ reason: Reason, gatewayCode: String? = nil, message: String = "") {
        self.reason = reason
        self.gatewayCode = gatewayCode
        self.message = message
    }

    init(_ reason: Reason, _ error: GatewayError) {
        self.init(reason, gatewayCode: error.gatewayType ?? error.gatewayCode.map(String.init), message: error.message)
    }
}
