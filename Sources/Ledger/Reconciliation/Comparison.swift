public import Foundation

/// What the gateway and the books say of one payment, and what that comes to.
public struct Comparison: Sendable, Equatable {
    /// What the gateway says of it.
    public struct GatewaySide: Sendable, Equatable {
        /// Where it stands there: `ready`, `paid`, `failed`, `cancelled`, `partially_cancelled`, or a word we don't know.
        public let status: String
        /// What was asked of the buyer, in minor units of ``currency``.
        public let amount: Int64
        /// What of it was cancelled.
        public let cancelledAmount: Int64
        /// ISO 4217 code.
        public let currency: String
        /// When it was paid.
        public let paidAt: Date?

        /// Tells what a gateway says.
        public init(status: String, amount: Int64, cancelledAmount: Int64, currency: String, paidAt: Date?) {
            self.status = status
            self.amount = amount
            self.cancelledAmount = cancelledAmount
            self.currency = currency
            self.paidAt = paidAt
        }
    }

    /// What the books say of it.
    public struct BooksSide: Sendable, Equatable {
        /// Its purchase.
        public let purchaseID: Int64
        /// What it was credited as, in minor units of ``currency``.
        public let amount: Int64
        /// What of it went back.
        public let refundedAmount: Int64
        /// What a pending refund of ours has the gateway cancel besides; nil: none is pending.
        public let pendingRefundAmount: Int64?
        /// ISO 4217 code.
        public let currency: String

        init(purchaseID: Int64, amount: Int64, refundedAmount: Int64, pendingRefundAmount: Int64?, currency: String) {
            self.purchaseID = purchaseID
            self.amount = amount
            self.refundedAmount = refundedAmount
            self.pendingRefundAmount = pendingRefundAmount
            self.currency = currency
        }

        /// Tells what the books say of a purchase.
        public init(_ known: KnownPurchases.Known) {
            let purchase = known.purchase
            self.init(
                purchaseID: purchase.id, amount: purchase.amount, refundedAmount: purchase.refundedAmount,
                pendingRefundAmount: known.pendingRefundAmount, currency: purchase.currency.code)
        }
    }

    /// What it comes to; nil while it is still to be examined.
    public let kind: ReconciliationKind?
    /// The payment.
    public let payment: PaymentIdentity
    /// What the gateway says; nil: it knows no such payment, or was not asked yet.
    public let gateway: GatewaySide?
    /// What the books say; nil: it is not credited.
    public let books: BooksSide?

    /// Describes a comparison.
    public init(
        _ kind: ReconciliationKind?, of payment: PaymentIdentity, gateway: GatewaySide? = nil, books: BooksSide? = nil
    ) {
        self.kind = kind
        self.payment = payment
        self.gateway = gateway
        self.books = books
    }
}

/// A payment of a run, as it is kept.
public struct ReconciliationItem: Sendable, Equatable, Identifiable {
    /// Its id.
    public let id: Int64
    /// What both sides say of it.
    public let comparison: Comparison
    /// What was done about it; nil: nothing, or not yet.
    public let outcome: ReconciliationOutcome?
}
