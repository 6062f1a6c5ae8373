import Foundation
import Ledger
import PGVerifier

extension Comparison {
    /// Compares the gateway's record of a payment with the books.
    ///
    /// It is a pure function.
    ///
    /// - Parameter answer: the gateway's record; nil if the gateway does not know the payment.
    static func judge(
        _ identity: PaymentIdentity, _ answer: GatewayPayment?, _ purchases: KnownPurchases, _ policy: VerdictPolicy
    ) -> Comparison {
        let side = answer.map(GatewaySide.init)
        let known = purchases.known(identity, side)
        let kind = known.map { judge(answer, credited: $0, policy) } ?? judge(uncredited: answer, policy)
        return Comparison(kind, of: identity, gateway: side, books: known.map(BooksSide.init))
    }

    private static func judge(
        _ answer: GatewayPayment?, credited known: KnownPurchases.Known, _ policy: VerdictPolicy
    ) -> ReconciliationKind {
        let purchase = known.purchase
        guard let answer, answer.tookMoney(policy) else { return .creditedNotPaid }
        guard answer.amount == purchase.paidAmount, answer.currency == purchase.paidCurrency.code else {
            return .amountDiffers
        }
        // What goes back by bank transfer explains why so much less is cancelled.
        let twice = purchase.refundedTwice(cancelled: answer.cancelledInAll)
        let extra = purchase.worth(ofCancelled: answer.cancelledInAll) - purchase.cancelledAmount - twice
        // The gateway need not show a cancellation of a dispute that was lost.
        if extra < 0, -extra <= known.lostAmount { return known.isWonAfterLoss ? .wonNotGivenBack : .matched }
        guard extra >= 0 else { return answer.isBeingCancelled ? .waiting : .refundedNotCancelled }
        // A pending refund explains a cancelled amount up to its own amount, even if the gateway has not processed it.
        let pending = known.pendingWon
        let rest = answer.cancelledInAll - (known.pendingRefundAmount ?? 0)
        if purchase.isDue(extra - (pending ?? 0), cancelled: rest) {
            // A refund in a foreign currency is decided before the rest is taken back.
            return pending != nil && purchase.foreignAmount != nil ? .waiting : .cancelledNotClawedBack
        }
        return twice > 0 ? .refundedTwice : pending == nil ? .matched : .waiting
    }

    private static func judge(uncredited answer: GatewayPayment?, _ policy: VerdictPolicy) -> ReconciliationKind {
        guard let answer else { return .matched }
        guard answer.tookMoney(policy) else { return answer.isUndecided ? .waiting : .matched }
        if answer.isGivenBack { return .matched }
        return answer.isBeingCancelled ? .waiting : .paidNotCredited
    }
}

extension Comparison.GatewaySide {
    fileprivate init(_ payment: GatewayPayment) {
        self.init(
            status: payment.status.text.replacing("\0", with: "\u{FFFD}"), amount: payment.amount,
            cancelledAmount: payment.cancelledInAll,
            currency: payment.currency, paidAt: payment.paidAt)
    }
}

extension GatewayPayment {
    /// Whether it was paid or cancelled in the period, or was started in it and is undecided.
    func isTouched(in period: Range<Date>) -> Bool {
        let moments = [paidAt, cancelledAt, isUndecided ? startedAt : nil] + cancellations.map(\.cancelledAt)
        return moments.contains { $0.map(period.contains) ?? false }
    }

    /// Whether it never moved money and can be ignored if it is not credited.
    func isNothing(_ policy: VerdictPolicy) -> Bool {
        !tookMoney(policy) && (!isUndecided || isRefusedTest(policy))
    }

    /// Whether the buyer has paid, even if the payment was cancelled later.
    ///
    /// Test payments have no money.
    fileprivate func tookMoney(_ policy: VerdictPolicy) -> Bool {
        switch status {
        case .paid, .cancelled, .partiallyCancelled: !isRefusedTest(policy)
        case .ready, .failed, .unknown: false
        }
    }

    /// Whether it can still be paid.
    fileprivate var isUndecided: Bool {
        switch status {
        case .ready, .unknown: true
        case .paid, .cancelled, .partiallyCancelled, .failed: false
        }
    }

    private func isRefusedTest(_ policy: VerdictPolicy) -> Bool { isTest == true && !policy.allowTestPayments }
}

extension GatewayPayment.Status {
    /// The stored name of the status.
    fileprivate var text: String {
        switch self {
        case .ready: "ready"
        case .paid: "paid"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .partiallyCancelled: "partially_cancelled"
        case .unknown(let word): word
        }
    }
}
