import Foundation
import LedgerTestSupport

@testable import Ledger

extension RandomHistory {
    /// Now and then of another user's purchase.
    mutating func newRefund() -> BeginRefund {
        let purchase = recent(bought)
        return .sample(
            "refund-\(next())", of: purchase.id, by: seldom() ? user() : purchase.user,
            coins: Bool.random(using: &random) ? someCoins() : nil,
            method: Int.random(in: 0..<3, using: &random) == 0 ? .bankTransfer : .gateway,
            policy: RefundPolicy(
                feePercent: Bool.random(using: &random) ? 10 : 0, usedBonus: usedBonus(),
                expired: Bool.random(using: &random) ? ExpiredCoinRule(days: 30, percent: 90) : nil))
    }

    /// Now and then of another user's refund.
    mutating func newRefundPayment() -> PayRefund {
        let refund = recent(refunds)
        return .sample("payment-\(next())", of: perhapsAnothers(refund), at: someMoment())
    }

    mutating func newRefundReversal() -> ReverseRefund {
        let refund = recent(refunds)
        return .sample("refund-reversal-\(next())", of: refund, grace: Bool.random(using: &random) ? 500 : 0)
    }

    mutating func newRepayment() -> RepayRefund {
        let refund = recent(refunds)
        return .sample(
            "repayment-\(next())", of: perhapsAnothers(refund), at: someMoment(),
            grace: Bool.random(using: &random) ? 500 : 0)
    }

    mutating func newDebtPayment() -> PayDebtByBank {
        .sample(
            "debt-payment-\(next())", by: user(),
            coins: Bool.random(using: &random) ? .random(in: 1...100, using: &random) : nil,
            won: .random(in: 1...10_000, using: &random), at: someMoment())
    }

    mutating func newWriteOff() -> WriteOffDebt {
        .sample(
            "write-off-\(next())", by: user(),
            coins: Bool.random(using: &random) ? .random(in: 1...100, using: &random) : nil)
    }

    mutating func newCompletion() -> CompleteRefund {
        let refund = recent(refunds)
        return .sample(perhapsAnothers(refund), at: someMoment())
    }

    mutating func newRelease() -> ReleaseRefund {
        .sample(recent(refunds))
    }

    /// Now and then of a payment that was never credited, or of another user's, or of more than was paid.
    mutating func newClawBack() -> ClawBack {
        let purchase = pick(purchases)
        let cancelled = Int64.random(in: 0...(purchase.price.amount + 1), using: &random)
        let isWhole = Bool.random(using: &random)
        return ClawBack(
            user: seldom() ? user() : purchase.user, payment: purchase.payment,
            cancelledAmount: isWhole ? purchase.price.amount : cancelled,
            cancelledAt: Bool.random(using: &random) ? purchase.paidAt + .random(in: 0...5000, using: &random) : nil,
            usedBonus: usedBonus(), freezes: Bool.random(using: &random))
    }

    /// One of three disputes of a payment; now and then of one that was never credited, or of another user's.
    mutating func newDispute() -> RecordDispute {
        let purchase = recent(purchases)
        let known = Bool.random(using: &random) ? disputes.last : nil
        return RecordDispute(
            user: seldom() ? user() : purchase.user, payment: purchase.payment,
            dispute: ReportedDispute(
                openedAt: known?.openedAt ?? purchase.paidAt + Double(Int.random(in: 1...3, using: &random)),
                reason: "not mine", isResolved: Int.random(in: 0..<3, using: &random) == 0),
            freezes: Int.random(in: 0..<4, using: &random) > 0)
    }

    /// Now and then of another user's dispute, or of one that is decided.
    mutating func newDecision() -> DecideDispute {
        let dispute = recent(disputes)
        return .sample(
            "decision-\(next())", on: dispute, by: seldom() ? user() : nil, isWon: Bool.random(using: &random),
            usedBonus: usedBonus(), lots: lotsBought[dispute.purchaseID] ?? [],
            grace: Bool.random(using: &random) ? 500 : 0)
    }

    /// Now and then by another user.
    private mutating func perhapsAnothers(_ refund: Owned) -> Owned {
        seldom() ? Owned(id: refund.id, user: user()) : refund
    }

    private mutating func someMoment() -> Date {
        Date(timeIntervalSince1970: 1_767_225_600 + .random(in: 0...5000, using: &random))
    }

    private mutating func usedBonus() -> UsedBonus { Int.random(in: 0..<4, using: &random) == 0 ? .forgive : .charge }
}
