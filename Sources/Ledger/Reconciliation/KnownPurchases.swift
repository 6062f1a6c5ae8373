import Foundation

/// Purchases by payment and by order.
package struct KnownPurchases: Sendable {
    /// A purchase, and the amount of its pending refund.
    package struct Known: Sendable {
        package let purchase: Purchase
        /// The amount of its pending refund, in minor units of the payment's currency; nil: none is pending.
        package let pendingRefundAmount: Int64?
        /// What was taken back for lost disputes although the gateway has cancelled nothing, in minor units.
        package var lostAmount: Int64 = 0
        /// Whether the gateway has decided such a dispute for the shop, and the finding about it is open.
        package var isWonAfterLoss = false

        /// The won of its pending refund; nil: none is pending.
        package var pendingWon: Int64? { pendingRefundAmount.map(purchase.worth(ofNext:)) }
    }

    private var byPayment: [GatewayKey: Known] = [:]
    private var byOrder: [ExactText: [Known]] = [:]

    init(_ all: [Known]) {
        for known in all {
            byPayment[known.purchase.payment.key] = known
            byOrder[ExactText(known.purchase.payment.merchantUID), default: []].append(known)
        }
    }

    /// The purchase of this payment.
    package subscript(payment: PaymentIdentity) -> Known? { byPayment[payment.key] }

    /// The purchase of this payment, also if the gateway's other API showed it first.
    ///
    /// - Parameter side: what the gateway tells of it; nil: it does not know the payment.
    package func known(_ payment: PaymentIdentity, _ side: Comparison.GatewaySide?) -> Known? {
        if let known = self[payment] { return known }
        guard let sighting = side?.sighting(of: payment) else { return nil }
        return byOrder[ExactText(payment.merchantUID)]?.first { $0.purchase.isOf(sighting) }
    }
}
