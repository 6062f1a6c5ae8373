import Foundation

/// Purchases by payment and by order.
package struct KnownPurchases: Sendable {
    /// A purchase, and the amount of its pending refund.
    package struct Known: Sendable {
        package let purchase: Purchase
        /// The amount of its pending refund, in minor units; nil: none is pending.
        package let pendingRefundAmount: Int64?
        /// What was taken back for lost disputes although the gateway has cancelled nothing, in minor units.
        package var lostAmount: Int64 = 0
    }

    private var byPayment: [[ExactText]: Known] = [:]
    private var byOrder: [ExactText: [Known]] = [:]

    init(_ all: [Known]) {
        for known in all {
            byPayment[known.purchase.payment.key] = known
            byOrder[ExactText(known.purchase.payment.merchantUID), default: []].append(known)
        }
    }

    /// The purchase of this payment.
    package subscript(payment: PaymentIdentity) -> Known? { byPayment[payment.key] }

    /// The purchase of this payment under the gateway's other API: both APIs may return the same payment.
    ///
    /// It has the same order and amount, and was paid at the same time. V1 reports times in whole seconds.
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
