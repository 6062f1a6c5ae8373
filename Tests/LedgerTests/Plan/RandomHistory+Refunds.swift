import Foundation
import TestSupport

@testable import Ledger

extension RandomHistory {
    /// Now and then of another user's purchase.
    mutating func newRefund() -> BeginRefund {
        let purchase = recent(bought)
        return BeginRefund(
            idempotencyKey: .named("refund-\(next())"), user: seldom() ? user() : purchase.user,
            purchaseID: purchase.id, coins: Bool.random(using: &random) ? someCoins() : nil,
            explanation: "changed mind", method: Int.random(in: 0..<3, using: &random) == 0 ? .bankTransfer : .gateway,
            policy: RefundPolicy(
                feePercent: Bool.random(using: &random) ? 10 : 0, usedBonus: usedBonus(),
                expired: Bool.random(using: &random) ? ExpiredCoinRule(days: 30, percent: 90) : nil))
    }

    /// Now and then of another user's refund.
    mutating func newRefundPayment() -> PayRefund {
        let refund = recent(refunds)
        return PayRefund(
            idempotencyKey: .named("payment-\(next())"), user: seldom() ? user() : refund.user, refundID: refund.id,
            paidAt: Date(timeIntervalSince1970: 1_767_225_600 + .random(in: 0...5000, using: &random)),
            bankReference: "transfer")
    }

    mutating func newRefundReversal() -> ReverseRefund {
        let refund = recent(refunds)
        return ReverseRefund(
            idempotencyKey: .named("refund-reversal-\(next())"), user: refund.user, refundID: refund.id,
            reason: "no account", grace: Bool.random(using: &random) ? 500 : 0)
    }

    mutating func newRepayment() -> RepayRefund {
        let refund = recent(refunds)
        return RepayRefund(
            idempotencyKey: .named("repayment-\(next())"), user: seldom() ? user() : refund.user, refundID: refund.id,
            paidAt: Date(timeIntervalSince1970: 1_767_225_600 + .random(in: 0...5000, using: &random)),
            bankReference: "back", grace: Bool.random(using: &random) ? 500 : 0)
    }

    mutating func newDebtPayment() -> PayDebtByBank {
        PayDebtByBank(
            idempotencyKey: .named("debt-payment-\(next())"), user: user(),
            coins: Bool.random(using: &random) ? Coins(.random(in: 1...100, using: &random)) : nil,
            price: sure(Price(won: .random(in: 1...10_000, using: &random))),
            paidAt: Date(timeIntervalSince1970: 1_767_225_600 + .random(in: 0...5000, using: &random)),
            bankReference: "transfer")
    }

    mutating func newWriteOff() -> WriteOffDebt {
        WriteOffDebt(
            idempotencyKey: .named("write-off-\(next())"), user: user(),
            coins: Bool.random(using: &random) ? Coins(.random(in: 1...100, using: &random)) : nil, reason: "left")
    }

    mutating func newCompletion() -> CompleteRefund {
        let refund = recent(refunds)
        return CompleteRefund(
            user: seldom() ? user() : refund.user, refundID: refund.id,
            cancelledAt: Date(timeIntervalSince1970: 1_767_225_600 + .random(in: 0...5000, using: &random)))
    }

    mutating func newRelease() -> ReleaseRefund {
        let refund = recent(refunds)
        return ReleaseRefund(
            user: refund.user, refundID: refund.id,
            refusal: Refund.GatewayRefusal(reason: "gateway_refused", gatewayCode: nil)
        )
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
        return DecideDispute(
            idempotencyKey: .named("decision-\(next())"), user: seldom() ? user() : dispute.user,
            purchaseID: dispute.purchaseID, disputeID: dispute.id, isWon: Bool.random(using: &random),
            explanation: "the bank says so", usedBonus: usedBonus(), lots: lotsBought[dispute.purchaseID] ?? [],
            grace: Bool.random(using: &random) ? 500 : 0)
    }

    private mutating func usedBonus() -> UsedBonus { Int.random(in: 0..<4, using: &random) == 0 ? .forgive : .charge }
}
