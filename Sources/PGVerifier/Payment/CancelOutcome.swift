/// The outcome of a ``CancelOrder``.
public enum CancelOutcome: Hashable, Sendable {
    /// The payment is cancelled: book it under the cancellation's id.
    case done(GatewayCancellation)
    /// Accepted, and carried out later: wait for the webhook, or ask again. nil while the gateway doesn't show it.
    case pending(GatewayCancellation?)
    /// Nothing happened, and nothing will happen for this order.
    case refused(CancelRefusal)
}

/// Why nothing was cancelled.
public struct CancelRefusal: Hashable, Sendable {
    /// The reasons; the raw values are stable names.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The gateway does not know the payment.
        case paymentNotFound = "payment_not_found"
        /// The payment was never paid.
        case paymentNotPaid = "payment_not_paid"
        /// Nothing is left to cancel.
        case alreadyCancelled = "already_cancelled"
        /// The balance is not what the caller believed, so the gateway did nothing.
        case balanceChanged = "balance_changed"
        /// The amount is larger than the balance, or zero.
        case invalidAmount = "invalid_amount"
        /// The gateway or its payment company refuses: too late, no partial cancellation, or an account is needed.
        case refusedByGateway = "refused_by_gateway"
    }

    /// Why.
    public let reason: Reason

    /// The gateway's own code, for people.
    public let gatewayCode: String?

    /// The gateway's message, for people; limited length, one line.
    public let message: String

    init(_ reason: Reason, gatewayCode: String? = nil, message: String = "") {
        self.reason = reason
        self.gatewayCode = gatewayCode
        self.message = message
    }

    init(_ reason: Reason, _ error: GatewayError) {
        self.init(reason, gatewayCode: error.gatewayType ?? error.gatewayCode.map(String.init), message: error.message)
    }
}
