import Foundation
import Ledger
import PGVerifier
import Timing

/// Retries waiting receipts.
struct ReceiptRetryWorker: WorkItemWorker {
    let crediter: ReceiptCrediter
    /// A recent response of the gateway; nil: the worker requests it.
    var answer: GatewayPayment?
    let name = "waiting receipts"
    let metric = "ledgerd_receipt_retries"

    /// The maximum time that a receipt waits; longer than the deadline of any virtual account.
    private static let patience: TimeInterval = 30 * 24 * 3600

    func work(on waiting: WaitingReceipt) async throws -> WorkOutcome<WaitingReceipt.Decision> {
        waiting.outcome(of: try await credit(waiting), at: Time.current.now)
    }

    /// Receipts of a gateway that is not configured wait, because it can be configured again.
    private func credit(_ waiting: WaitingReceipt) async throws -> ReceiptSaga.Outcome {
        let payment = waiting.payment
        let receipt = try Receipt(
            gateway: payment.gateway, paymentID: payment.paymentID, merchantUID: payment.merchantUID)
        guard let receipt, crediter.gateways.gateway(for: receipt) != nil else {
            return .waiting(.gatewayUnavailable)
        }
        if let answer { return try await crediter.credit(answer, presentedAs: receipt, to: waiting.user) }
        return try await crediter.credit(receipt, to: waiting.user)
    }
}

extension WaitingReceipt {
    /// The maximum time that a receipt waits; longer than the deadline of any virtual account.
    private static let patience: TimeInterval = 30 * 24 * 3600

    /// What becomes of the waiting receipt after an attempt to credit it.
    func outcome(of attempt: ReceiptSaga.Outcome, at now: Date) -> WorkOutcome<Decision> {
        switch attempt {
        case .credited, .given: return .decided(.credited, "credited")
        case .refused(let refusal): return .decided(.refused, refusal.name)
        case .waiting(let reason) where createdAt < now - Self.patience || !reason.mayEnd:
            return .decided(.abandoned, reason.rawValue)
        case .waiting(let reason):
            return .postponed(reason.backoff.delay(afterAttempts: Int(attempts)), reason.rawValue)
        }
    }
}
