import Foundation

/// Purchases, found again by their payment or its order.
package struct KnownPurchases: Sendable {
    /// A purchase, and what is on its way back.
    package struct Known: Sendable {
        /// The purchase.
        package let purchase: Purchase
        /// What its pending refund has the gateway cancel, in minor units; nil: none is pending.
        package let pendingRefundAmount: Int64?
    }

    private var byPayment: [[ExactText]: Known] = [:]
    private var byOrder: [ExactText: [Known]] = [:]

    init(_ all: [Known]) {
        for known in all {
            byPayment[known.purchase.payment.key] = known
            byOrder[ExactText(known.purchase.payment.merchantUID), default: []].append(known)
        }
    }

    /// The purchase that this payment became.
    package subscript(payment: PaymentIdentity) -> Known? { byPayment[payment.key] }

    /// The purchase that this payment became under the name of the gateway's other API: one payment may show through
    /// both.
    ///
    /// It is of the same order and amount, and was paid at the same time: V1 tells it to the second.
    package func elsewhere(_ payment: PaymentIdentity, _ side: Comparison.GatewaySide) -> Known? {
        byOrder[ExactText(payment.merchantUID)]?.first { known in
            let purchase = known.purchase
            guard ExactText(purchase.payment.gateway) != ExactText(payment.gateway), let paidAt = side.paidAt else {
                return false
            }
            return purchase.amount == side.amount && purchase.currency.code == side.currency
                && abs(purchase.paidAt.timeIntervalSince(paidAt)) < 2
        }
    }
}
