/// Purchases, found again by their payment or its order.
public struct KnownPurchases: Sendable {
    private var byPayment: [[ExactText]: Purchase] = [:]
    private var byOrder: [ExactText: Purchase] = [:]

    init(_ purchases: [Purchase]) {
        for purchase in purchases {
            byPayment[purchase.payment.key] = purchase
            byOrder[ExactText(purchase.payment.merchantUID)] = purchase
        }
    }

    /// The purchase that this payment became.
    public subscript(payment: PaymentIdentity) -> Purchase? { byPayment[payment.key] }

    /// Whether the payment's order was credited by a payment of another gateway: one payment may show through two APIs.
    public func isCreditedElsewhere(_ payment: PaymentIdentity) -> Bool {
        byOrder[ExactText(payment.merchantUID)].map { ExactText($0.payment.gateway) != ExactText(payment.gateway) }
            ?? false
    }
}
