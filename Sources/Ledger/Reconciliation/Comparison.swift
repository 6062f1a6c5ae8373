package import Foundation

/// What the gateway and the books say of one payment, and what that comes to.
package struct Comparison: Sendable, Equatable {
    /// What the gateway says of it.
    package struct GatewaySide: Sendable, Equatable {
        /// Where it stands there: `ready`, `paid`, `failed`, `cancelled`, `partially_cancelled`, or a word we don't know.
        package let status: String
        /// What was asked of the buyer, in minor units of ``currency``.
        package let amount: Int64
        /// What of it was cancelled.
        package let cancelledAmount: Int64
        /// ISO 4217 code.
        package let currency: String
        /// When it was paid.
        package let paidAt: Date?

        /// Tells what a gateway says.
        package init(status: String, amount: Int64, cancelledAmount: Int64, currency: String, paidAt: Date?) {
            self.status = status
            self.amount = amount
            self.cancelledAmount = cancelledAmount
            self.currency = currency
            self.paidAt = paidAt
        }
    }

    /// What the books say of it.
    package struct BooksSide: Sendable, Equatable {
        /// Its purchase.
        package let purchaseID: Int64
        /// What it was credited as, in minor units of ``currency``.
        package let amount: Int64
        /// What of it went back.
        package let refundedAmount: Int64
        /// What a pending refund of ours has the gateway cancel besides; nil: none is pending.
        package let pendingRefundAmount: Int64?
        /// ISO 4217 code.
        package let currency: String

        init(purchaseID: Int64, amount: Int64, refundedAmount: Int64, pendingRefundAmount: Int64?, currency: String) {
            self.purchaseID = purchaseID
            self.amount = amount
            self.refundedAmount = refundedAmount
            self.pendingRefundAmount = pendingRefundAmount
            self.currency = currency
        }

        /// Tells what the books say of a purchase.
        package init(_ known: KnownPurchases.Known) {
            let purchase = known.purchase
            self.init(
                purchaseID: purchase.id, amount: purchase.amount, refundedAmount: purchase.refundedAmount,
                pendingRefundAmount: known.pendingRefundAmount, currency: purchase.currency.code)
        }
    }

    /// What it comes to; nil while it is still to be examined.
    package let kind: ReconciliationKind?
    /// The payment.
    package let payment: PaymentIdentity
    /// What the gateway says; nil: it knows no such payment, or was not asked yet.
    package let gateway: GatewaySide?
    /// What the books say; nil: it is not credited.
    package let books: BooksSide?

    /// Describes a comparison.
    package init(
        _ kind: ReconciliationKind?, of payment: PaymentIdentity, gateway: GatewaySide? = nil, books: BooksSide? = nil
    ) {
        self.kind = kind
        self.payment = payment
        self.gateway = gateway
        self.books = books
    }
}

/// A payment of a run, as it is kept.
package struct ReconciliationItem: Sendable, Equatable, Identifiable {
    /// Its id.
    package let id: Int64
    /// What both sides say of it.
    package let comparison: Comparison
    /// What was done about it; nil: nothing, or not yet.
    package let outcome: ReconciliationOutcome?
}
