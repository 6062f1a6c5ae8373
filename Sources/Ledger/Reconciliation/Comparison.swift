package import Foundation

/// A payment as the gateway has it and as the books have it, with the result of the comparison.
package struct Comparison: Sendable, Equatable {
    /// The payment at the gateway.
    package struct GatewaySide: Sendable, Equatable {
        /// The status at the gateway: `ready`, `paid`, `failed`, `cancelled`, `partially_cancelled`, or an unknown
        /// text.
        package let status: String
        /// The amount that the buyer was asked to pay, in minor units of ``currency``.
        package let amount: Int64
        /// The part that was cancelled.
        package let cancelledAmount: Int64
        /// ISO 4217 code.
        package let currency: String
        /// When it was paid.
        package let paidAt: Date?

        package init(status: String, amount: Int64, cancelledAmount: Int64, currency: String, paidAt: Date?) {
            self.status = status
            self.amount = amount
            self.cancelledAmount = cancelledAmount
            self.currency = currency
            self.paidAt = paidAt
        }

        /// What shows which payment it is.
        package func sighting(of payment: PaymentIdentity) -> PaymentSighting {
            PaymentSighting(of: payment, amount: amount, currency: currency, paidAt: paidAt)
        }
    }

    /// The payment in the books.
    package struct BooksSide: Sendable, Equatable {
        package let purchaseID: Int64
        /// The amount credited, in minor units of ``currency``.
        package let amount: Int64
        /// The part that was refunded or clawed back.
        package let refundedAmount: Int64
        /// The part of ``refundedAmount`` that goes back by bank transfer, which explains why it is not cancelled at the
        /// gateway; nil: not stored.
        package let transferredAmount: Int64?
        /// The amount of a pending refund; nil: none is pending.
        package let pendingRefundAmount: Int64?
        /// ISO 4217 code.
        package let currency: String

        init(
            purchaseID: Int64, amount: Int64, refundedAmount: Int64, transferredAmount: Int64?,
            pendingRefundAmount: Int64?, currency: String
        ) {
            self.purchaseID = purchaseID
            self.amount = amount
            self.refundedAmount = refundedAmount
            self.transferredAmount = transferredAmount
            self.pendingRefundAmount = pendingRefundAmount
            self.currency = currency
        }

        /// The books' side of a purchase.
        package init(_ known: KnownPurchases.Known) {
            let purchase = known.purchase
            // As the gateway has it.
            self.init(
                purchaseID: purchase.id, amount: purchase.paidAmount,
                refundedAmount: purchase.foreign?.refunded ?? purchase.refundedAmount,
                transferredAmount: purchase.transferredAmount, pendingRefundAmount: known.pendingRefundAmount,
                currency: purchase.paidCurrency.code)
        }
    }

    /// The result; nil: not examined yet.
    package let kind: ReconciliationKind?
    package let payment: PaymentIdentity
    /// The gateway's side; nil: it does not know the payment, or was not asked yet.
    package let gateway: GatewaySide?
    /// The books' side; nil: not credited.
    package let books: BooksSide?

    package init(
        _ kind: ReconciliationKind?, of payment: PaymentIdentity, gateway: GatewaySide? = nil, books: BooksSide? = nil
    ) {
        self.kind = kind
        self.payment = payment
        self.gateway = gateway
        self.books = books
    }
}

/// A stored payment of a reconciliation run.
package struct ReconciliationItem: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let comparison: Comparison
    /// What was done about a difference; nil: nothing, or not yet.
    package let outcome: ReconciliationOutcome?
}
