/// Purchases, found again by their payment or its order.
public struct KnownPurchases: Sendable {
    /// A purchase, and what is on its way back.
    public struct Known: Sendable {
        /// The purchase.
        public let purchase: Purchase
        /// What its pending refund has the gateway cancel, in minor units; nil: none is pending.
        public let pendingRefundAmount: Int64?
    }

    private var byPayment: [[ExactText]: Known] = [:]
    private var byOrder: [ExactText: Purchase] = [:]

    init(_ all: [Known]) {
        for known in all {
            byPayment[known.purchase.payment.key] = known
            byOrder[ExactText(known.purchase.payment.merchantUID)] = known.purchase
        }
    }

    /// The purchase that this payment became.
    public subscript(payment: PaymentIdentity) -> Known? { byPayment[payment.key] }

    /// Whether the payment's order was credited by a payment of another gateway: one payment may show through two APIs.
    public func isCreditedElsewhere(_ payment: PaymentIdentity) -> Bool {
        byOrder[ExactText(payment.merchantUID)].map { ExactText($0.payment.gateway) != ExactText(payment.gateway) }
            ?? false
    }
}
