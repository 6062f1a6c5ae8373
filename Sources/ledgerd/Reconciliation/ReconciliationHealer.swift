import Ledger
import PGVerifier

/// Does what the gateway's word decides about a difference, by the ordinary ways: the review that follows webhooks, and
/// the retries of receipts that wait.
struct ReconciliationHealer: Sendable {
    let reviewer: PaymentReviewer
    private let ledger: Ledger
    private let receipts: ReceiptRetryWorker

    /// How long a receipt is this process's: longer than working on it can take.
    private static let lease: Duration = .seconds(60)

    init(crediter: ReceiptCrediter, reviewer: PaymentReviewer) {
        self.reviewer = reviewer
        ledger = crediter.ledger
        receipts = ReceiptRetryWorker(crediter: crediter)
    }

    /// Does what there is to do about a difference that the gateway's word may decide.
    ///
    /// Done a second time, as after a crash, it says again what was done.
    ///
    /// - Throws: ``GatewayAway``; ``LedgerError``.
    func heal(_ item: ReconciliationItem) async throws -> ReconciliationOutcome {
        let payment = item.comparison.payment
        guard let receipt = payment.receipt else { return .needsPerson }
        guard try await reviewer.review(receipt) != .gatewayUnavailable else { throw GatewayAway() }
        return item.comparison.kind == .cancelledNotClawedBack
            ? try await outcome(ofCancelled: item) : try await outcome(ofPaid: payment)
    }

    private func outcome(ofCancelled item: ReconciliationItem) async throws(LedgerError) -> ReconciliationOutcome {
        let payment = item.comparison.payment
        let cancelled = item.comparison.gateway?.cancelledAmount ?? .max
        guard let known = try await ledger.reconciliations.purchases(sharing: [payment])[payment] else {
            return .needsPerson
        }
        // What a pending refund has cancelled is that refund's to book: only the rest is clawed back.
        let accountedFor = known.purchase.refundedAmount + (known.pendingRefundAmount ?? 0)
        return accountedFor >= cancelled ? .clawedBack : .needsPerson
    }

    /// Whose it is, is not for the gateway to say: only who presented it, or ordered it, gets the coins.
    private func outcome(ofPaid payment: PaymentIdentity) async throws -> ReconciliationOutcome {
        if try await ledger.purchases.find(of: payment) != nil { return .credited }
        let waiting = try await ledger.retries.take(of: payment, lease: Self.lease)
        var isWaiting = false
        for receipt in waiting {
            if case .postponed = try await receipts.work(on: receipt, of: ledger.retries) { isWaiting = true }
        }
        if try await ledger.purchases.find(of: payment) != nil { return .credited }
        return isWaiting ? .receiptWaits : .needsPerson
    }
}

/// The gateway can't be asked now.
struct GatewayAway: Error, CustomStringConvertible {
    let description = "the gateway can't be asked now"
}
