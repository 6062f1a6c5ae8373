import Ledger
import PGVerifier

/// Fixes differences that the gateway's records settle, with the review of payments and the retry of waiting receipts.
struct ReconciliationHealer: Sendable {
    let reviewer: PaymentReviewer
    private let ledger: Ledger
    private let receipts: ReceiptRetryWorker

    /// The lease of a receipt; longer than its processing.
    private static let lease: Duration = .seconds(60)

    init(crediter: ReceiptCrediter, reviewer: PaymentReviewer) {
        self.reviewer = reviewer
        ledger = crediter.ledger
        receipts = ReceiptRetryWorker(crediter: crediter)
    }

    /// Fixes a difference, if possible.
    ///
    /// A repeat, for example after a crash, returns the same outcome.
    ///
    /// - Throws: ``GatewayAway``; ``RefundUndecided``; ``LedgerError``.
    func heal(_ item: ReconciliationItem) async throws -> ReconciliationOutcome {
        let payment = item.comparison.payment
        guard let receipt = payment.receipt else { return .needsPerson }
        guard try await reviewer.review(receipt) != .gatewayUnavailable else { throw GatewayAway() }
        return item.comparison.kind == .cancelledNotClawedBack
            ? try await outcome(ofCancelled: item) : try await outcome(ofPaid: item)
    }

    private func outcome(ofCancelled item: ReconciliationItem) async throws -> ReconciliationOutcome {
        let payment = item.comparison.payment
        let cancelled = item.comparison.gateway?.cancelledAmount ?? .max
        let purchases = try await ledger.reconciliations.purchases(sharing: [payment])
        guard let known = purchases.known(payment, item.comparison.gateway) else { return .needsPerson }
        // A pending refund books its own amount when it is decided; only the rest is clawed back.
        let accountedFor =
            known.purchase.cancelledAmount + (known.pendingWon ?? 0)
            + known.purchase.refundedTwice(cancelled: cancelled)
        let isDue = known.purchase.isDue(
            known.purchase.worth(ofCancelled: cancelled) - accountedFor,
            cancelled: cancelled - (known.pendingRefundAmount ?? 0))
        guard isDue else { return .clawedBack }
        // A refund in a foreign currency is decided before the rest is taken back.
        if known.pendingRefundAmount != nil, known.purchase.foreignAmount != nil { throw RefundUndecided() }
        return .needsPerson
    }

    /// The gateway does not know the user: only the presenter or the orderer gets the coins.
    private func outcome(ofPaid item: ReconciliationItem) async throws -> ReconciliationOutcome {
        let payment = item.comparison.payment
        if try await isCredited(item) { return .credited }
        let waiting = try await ledger.retries.take(of: payment, lease: Self.lease)
        var isWaiting = false
        for receipt in waiting {
            if case .postponed = try await receipts.work(on: receipt, of: ledger.retries) { isWaiting = true }
        }
        if try await isCredited(item) { return .credited }
        // The review has made receipts under the payment's other name due; only the other API can decide them.
        if !isWaiting { isWaiting = try await ledger.retries.isWaiting(underOtherNamesOf: payment) }
        return isWaiting ? .receiptWaits : .needsPerson
    }

    private func isCredited(_ item: ReconciliationItem) async throws(LedgerError) -> Bool {
        let payment = item.comparison.payment
        guard let side = item.comparison.gateway else { return try await ledger.purchases.find(of: payment) != nil }
        let sighting = side.sighting(of: payment)
        return try await ledger.purchases.recognise(sighting, after: reviewer.crediter.rules.forgettingKey) != nil
    }
}

/// The gateway is unavailable.
struct GatewayAway: Error, CustomStringConvertible {
    let description = "the gateway is unavailable"
}

/// A refund of the payment is pending: the rest is taken back after its decision, without a person.
struct RefundUndecided: Error, CustomStringConvertible {
    let description = "a refund of a payment is not decided yet"
}
