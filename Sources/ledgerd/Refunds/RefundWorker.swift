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

    /// The time after which a gateway has carried out a request or never will: a cancellation can take 60 s.
    private static let doubt = Duration.seconds(90)

    /// The delay before the second look-up after a refusal: a gateway has refused a cancellation and carried it out
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
        case .doubted:
            return .postponed(Self.doubt, PendingRefund.doubted)
        case .unknown:
            if isLate { try await note(purchase) }
            // An accepted refund stays accepted, even if its present state is unknown.
            let reason = pending.isAccepted ? PendingRefund.accepted : "gateway_unavailable"
            return .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: attempts(pending)), reason)
        }
    }

    private func attempts(_ pending: PendingRefund) -> Int { Int(pending.attempts) }

    private func note(_ purchase: Purchase) async throws(LedgerError) {
        try await driver.ledger.findings.note(
            .refundUndecided, purchase.payment, of: purchase.user, amount: purchase.amount,
            currency: purchase.currency.code, paidAt: purchase.paidAt)
    }
}
