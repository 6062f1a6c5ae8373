/// The outcome of a ``CancellationRequest``.
package enum CancellationOutcome: Hashable, Sendable {
    /// The gateway cancelled: book the cancellation by its id.
    case done(GatewayCancellation)
    /// The gateway accepted the cancellation and carries it out later: wait for the webhook, or ask again. Nil: the
    /// payment does not show it yet.
    case pending(GatewayCancellation?)
    /// The gateway refused: nothing was cancelled, and nothing will be by this request.
    case refused(CancellationRefusal)
}

/// Why nothing was cancelled.
package struct CancellationRefusal: Hashable, Sendable {
    /// The reasons; the raw values are stable names.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The gateway does not know the payment.
        case paymentNotFound = "payment_not_found"
        /// The payment was never paid.
        case paymentNotPaid = "payment_not_paid"
        /// Nothing is left to cancel.
        case alreadyCancelled = "already_cancelled"
        /// The payment's balance differs from the caller's, so the gateway did nothing.
        case balanceChanged = "balance_changed"
        /// The amount is more than the balance, or not positive.
        case invalidAmount = "invalid_amount"
        /// The taxable or the tax-free part of the amount is more than the gateway's record has left of it.
        case taxPartsRefused = "tax_parts_refused"
        /// The gateway gives back only all that is left, so it was not asked.
        case partRefused = "part_refused"
        /// The gateway or the payment company refused: too late, no partial cancellation possible, or an account is
        /// needed.
        case refusedByGateway = "refused_by_gateway"
    }

    package let reason: Reason

    /// The gateway's code, for people.
    package let gatewayCode: String?

    /// The gateway's message, for people: one line of limited length.
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
