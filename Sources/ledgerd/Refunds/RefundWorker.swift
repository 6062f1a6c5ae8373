import Foundation
import Ledger

/// Drives a refund that waits, for as long as it takes: it is never given up.
struct RefundWorker: WorkItemWorker {
    let driver: RefundDriver
    let name = "refunds"
    let metric = "ledgerd_refunds"
    let lease = PendingRefund.lease

    /// How long a refund may be undecided before somebody should look at it.
    private static let patience: TimeInterval = 24 * 3600

    /// After how long a gateway has carried out what it was asked for, or never will: a cancellation may take 60 s.
    private static let doubt = Duration.seconds(90)

    /// After how long a payment whose cancellation was refused is looked at once more: a gateway has said no and carried
    /// the cancellation out 14 s later.
    private static let secondLook = Duration.seconds(30)

    func work(on pending: PendingRefund) async throws -> WorkOutcome<PendingRefund.Decision> {
        let refund = pending.refund
        guard let purchase = try await driver.ledger.purchases.find(refund.purchaseID, of: refund.user) else {
            throw LedgerError.unexpected("a refund's purchase is not there")
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
            // What the gateway accepted stays accepted, whatever is unknown of it today.
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
