import Foundation
import Ledger

/// Retries waiting refunds until they are decided.
struct RefundWorker: WorkItemWorker {
    let driver: RefundDriver
    let name = "refunds"
    let metric = "ledgerd_refunds"
    let lease = PendingRefund.lease

    /// The age of an undecided refund after which it becomes a finding.
    private static let patience: TimeInterval = 24 * 3600

    /// The delay before the look-up after a refusal: a gateway has refused a cancellation and carried it out
    /// 14 s later.
    private static let secondLook = Duration.seconds(30)

    func work(on pending: PendingRefund) async throws -> WorkOutcome<PendingRefund.Decision> {
        let refund = pending.refund
        guard let purchase = try await driver.ledger.purchases.find(refund.purchaseID, of: refund.user) else {
            throw LedgerError.unexpected("the purchase of a refund is missing")
        }
        let isLate = refund.requestedAt.timeIntervalSinceNow < -Self.patience
        switch try await driver.drive(pending, of: purchase) {
        case .decided(let decision):
            if isLate { try await driver.ledger.findings.resolve(purchase.payment) }
            return .recorded(decision)
        case .accepted:
            if isLate { try await note(purchase) }
            return .postponed(Backoff.awaitingPayment.delay(afterAttempts: attempts(pending)), PendingRefund.accepted)
        case .refusedOnce(let refusal):
            return .postponed(Self.secondLook, PendingRefund.refusedOnce(refusal))
        case .underWay:
            // Another process may know more by now, so the reason stays.
            return .postponed(Backoff.cancelling.delay(afterAttempts: attempts(pending)), nil)
        case .unknown:
            if isLate { try await note(purchase) }
            // A refund that was accepted or refused stays so, even if its present state is unknown.
            return .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: attempts(pending)), nil)
        }
    }

    private func attempts(_ pending: PendingRefund) -> Int { Int(pending.attempts) }

    private func note(_ purchase: Purchase) async throws(LedgerError) {
        try await driver.ledger.findings.note(
            .refundUndecided, purchase.payment, of: purchase.user, amount: purchase.amount,
            currency: purchase.currency.code, paidAt: purchase.paidAt)
    }
}
