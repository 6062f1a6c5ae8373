import Foundation
import Ledger
import Timing

/// Retries waiting refunds until they are decided.
struct RefundWorker: WorkItemWorker {
    let driver: RefundDriver
    let name = "refunds"
    let metric = "ledgerd_refunds"
    let lease = PendingRefund.lease

    func work(on pending: PendingRefund) async throws -> WorkOutcome<PendingRefund.Decision> {
        let refund = pending.refund
        guard let purchase = try await driver.ledger.purchases.find(refund.purchaseID, of: refund.user) else {
            throw LedgerError.unexpected("the purchase of a refund is missing")
        }
        let outcome = pending.outcome(of: try await driver.drive(pending, of: purchase))
        if refund.requestedAt < Time.current.now - Self.patience { try await note(outcome, purchase) }
        return outcome
    }

    /// The age of an undecided refund after which it becomes a finding.
    private static let patience: TimeInterval = 24 * 3600

    private func note(
        _ outcome: WorkOutcome<PendingRefund.Decision>, _ purchase: Purchase
    ) async throws(LedgerError) {
        switch outcome {
        case .decided, .recorded: try await driver.ledger.findings.end(.refundUndecided, under: purchase.payment)
        case .postponed:
            try await driver.ledger.findings.note(
                .refundUndecided, purchase.payment, of: purchase.user, amount: purchase.paidAmount,
                currency: purchase.paidCurrency.code, paidAt: purchase.paidAt)
        }
    }
}

extension PendingRefund {
    /// The delay before the second look-up after a refusal: a gateway has refused a cancellation and carried it out
    /// 14 s later.
    private static let secondLook = Duration.seconds(30)

    /// What becomes of the pending refund after an attempt.
    func outcome(of progress: RefundSaga.Progress) -> WorkOutcome<Decision> {
        switch progress {
        case .decided(let decision): return .recorded(decision)
        case .accepted: return .postponed(Backoff.awaitingPayment.delay(afterAttempts: Int(attempts)), Self.accepted)
        case .refusedOnce(let refusal): return .postponed(Self.secondLook, Self.refusedOnce(refusal))
        // Another process may know more by now, so the reason stays.
        case .underWay: return .postponed(Backoff.cancelling.delay(afterAttempts: Int(attempts)), nil)
        // A refund that was accepted or refused stays so, even if its present state is unknown.
        case .unknown: return .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: Int(attempts)), nil)
        }
    }
}
