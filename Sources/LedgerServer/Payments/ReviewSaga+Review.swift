import Ledger

extension ReviewSaga {
    /// The result of a review.
    package enum Review: Hashable, Sendable {
        /// The books match the gateway.
        case agrees
        /// A cancellation was posted as a claw-back.
        case clawedBack
        /// What was clawed back was given back, because the store took the refund back.
        case givenBack
        /// The books changed while the store's answer was on its way.
        case outdated
        /// What a store took back of a free purchase is on hold.
        case onHold
        /// A dispute of the payment began or ended.
        case disputed
        /// A refund that was recorded as refused turned out to be carried out, and is completed now.
        case refundCompleted
        /// The payment was credited to the user of its order.
        case credited
        /// The payment is paid, but its order refused it.
        case refused
        /// The gateway's cancelled amount is larger than in the books, and a pending refund can be the cause.
        case refundPending
        /// The payment is paid, and its waiting receipts were decided.
        case expedited
        /// The payment is paid, and waits for a rate at which its price can be booked.
        case priceNotBookable
        /// The payment is paid, and has no worth that the books can have: a person decides.
        case worthOutOfRange
        /// The payment is paid, and waits until somebody says what the store's product is of ours.
        case unknownStoreProduct
        /// The payment is paid, but no user has claimed it.
        case unclaimed
        /// The payment is not paid yet.
        case nothingPaid
        /// The payment is cancelled or failed, and was never credited.
        case nothingCredited
        /// The gateway does not know the payment.
        case unknownPayment
        /// The gateway is unavailable or not configured.
        case gatewayUnavailable
    }
}

extension ReviewSaga.Review {
    /// The result of crediting a payment to the user of its order.
    init(_ outcome: ReceiptSaga.Outcome) {
        switch outcome {
        case .credited, .given: self = .credited
        case .refused: self = .refused
        case .waiting(.gatewayUnavailable): self = .gatewayUnavailable
        case .waiting(.priceNotBookable): self = .priceNotBookable
        case .waiting(.worthOutOfRange): self = .worthOutOfRange
        case .waiting(.unknownStoreProduct): self = .unknownStoreProduct
        case .waiting: self = .nothingPaid
        }
    }
}
