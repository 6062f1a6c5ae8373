import Foundation
import Ledger
import PGVerifier

/// Asks the gateway again about a receipt that waits.
struct ReceiptRetryWorker: WorkItemWorker {
    let crediter: ReceiptCrediter
    /// What the gateway has just said of the payment; nil: it is asked.
    var answer: GatewayPayment?
    let name = "receipts that wait"
    let metric = "ledgerd_receipt_retries"

    /// How long the gateway may stay undecided: beyond any virtual account's deadline.
    private static let patience: TimeInterval = 30 * 24 * 3600

    func work(on waiting: WaitingReceipt) async throws -> WorkOutcome<WaitingReceipt.Decision> {
        switch try await credit(waiting) {
        case .credited: return .decided(.credited, "credited")
        case .refused(let refusal): return .decided(.refused, refusal.name)
        case .waiting(let reason) where waiting.createdAt.timeIntervalSinceNow < -Self.patience:
            return .decided(.abandoned, reason.rawValue)
        case .waiting(let reason):
            return .postponed(reason.backoff.delay(afterAttempts: Int(waiting.attempts)), reason.rawValue)
        }
    }

    /// A gateway that was turned off may be turned on again, so its receipts wait.
    private func credit(_ waiting: WaitingReceipt) async throws -> ReceiptCrediter.Outcome {
        let payment = waiting.payment
        let receipt = try Receipt(
            gateway: payment.gateway, impUID: payment.impUID, merchantUID: payment.merchantUID)
        guard let receipt, crediter.gateways.gateway(for: receipt) != nil else {
            return .waiting(.gatewayUnavailable)
        }
        if let answer { return try await crediter.credit(answer, presentedAs: receipt, to: waiting.user) }
        return try await crediter.credit(receipt, to: waiting.user)
    }
}
