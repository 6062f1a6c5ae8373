import Foundation
import Ledger
import PGVerifier

/// Updates the books after a change of a payment at the gateway.
///
/// Webhooks and the sweep call it.
///
/// The gateway does not know who gets the coins of a payment:
/// - A payment of an order is credited to the order's user.
/// - A payment with a stored receipt is decided by the worker of stored receipts.
/// - Any other payment becomes a finding until a user presents it.
struct PaymentReviewer: Sendable {
    let crediter: ReceiptCrediter
    /// The treatment of used bonus coins when a payment is cancelled.
    let usedBonus: UsedBonus

    private var ledger: Ledger { crediter.ledger }

    /// The result of a review.
    enum Review: Sendable, Equatable {
        /// The books match the gateway.
        case agrees
        /// A cancellation was posted as a claw-back.
        case clawedBack
        /// A refund that was recorded as refused turned out to be carried out, and is completed now.
        case refundCompleted
        /// The payment was credited to the user of its order.
        case credited
        /// The payment is paid, but its order refused it.
        case refused
        /// The gateway's cancelled amount is larger than in the books, and a pending refund can be the cause.
        case refundPending
        /// The payment is paid, and its waiting receipts were decided.
        case expedited
        /// The payment is paid, but no user has claimed it.
        case unclaimed
        /// The payment is not paid yet.
        case nothingPaid
        /// The payment is cancelled or failed, and was never credited.
        case nothingCredited
        /// The gateway does not know the payment.
        case unknownPayment
        /// The gateway is unavailable or not configured.
        case gatewayUnavailable
    }

    /// Looks a payment up at the gateway and updates the books.
    func review(_ receipt: Receipt) async throws(LedgerError) -> Review {
        guard let gateway = crediter.gateways.gateway(for: receipt) else { return .gatewayUnavailable }
        do {
            return try await follow(try await gateway.payment(for: receipt))
        } catch let error as GatewayError {
            return error.isDefinite && error.code == .notFound ? .unknownPayment : .gatewayUnavailable
        } catch let error as LedgerError {
            throw error
        } catch {
            throw .unexpected("the gateway's response could not be processed")
        }
    }

    /// Updates the books after a response of the gateway.
    func follow(_ payment: GatewayPayment) async throws(LedgerError) -> Review {
        let identity = PaymentIdentity(payment)
        if let purchase = try await ledger.purchases.find(of: identity) {
            return try await follow(payment, credited: purchase)
        }
        // A test payment has no money, so it does not become a finding.
        guard payment.isTest != true || crediter.policy.allowTestPayments else { return .nothingPaid }
        switch payment.status {
        case .ready, .unknown: return .nothingPaid
        case .paid where payment.cancelledAmount == 0: return try await claim(payment, identity)
        case .cancelled where payment.cancelledAmount < payment.amount && payment.cancelledAmount > 0,
            .partiallyCancelled, .paid:
            try await note(.partiallyCancelled, payment, identity)
            return .nothingCredited
        case .cancelled, .failed:
            try await ledger.findings.resolve(identity)
            return .nothingCredited
        }
    }

    private func follow(_ payment: GatewayPayment, credited purchase: Purchase) async throws(LedgerError) -> Review {
        guard payment.cancelledInAll > purchase.refundedAmount else { return .agrees }
        let isCompleted: Bool
        switch try await completeRefused(of: purchase, shownIn: payment) {
        case .refundPending: return .refundPending
        case let review: isCompleted = review == .refundCompleted
        }
        let clawBack = ClawBack(
            user: purchase.user, payment: purchase.payment, cancelledAmount: payment.cancelledInAll,
            cancelledAt: payment.lastCancelledAt, usedBonus: usedBonus)
        let answer = try await ledger.submit(clawBack)
        switch answer.outcome {
        case .done(let clawedBack):
            if try await isRefunding(clawedBack.purchase, payment) { return .refundPending }
            return answer.isRepeat ? (isCompleted ? .refundCompleted : .agrees) : .clawedBack
        case .refused: return .agrees
        }
    }

    /// Completes refunds that are recorded as refused but, by their keys in the payment, were carried out.
    ///
    /// - Returns: `refundCompleted`, or `refundPending` if another refund must be decided first; nil if there are none.
    private func completeRefused(
        of purchase: Purchase, shownIn payment: GatewayPayment
    ) async throws(LedgerError) -> Review? {
        let refunds = try await ledger.refunds.list(ofPurchases: [purchase.id])[purchase.id] ?? []
        let carriedOut = refunds.filter { $0.status == .refused }
            .compactMap { refund in refund.cancellation(markedIn: payment, of: purchase).map { (refund, $0) } }
        guard !carriedOut.isEmpty else { return nil }
        if refunds.contains(where: { $0.status == .pending }) {
            _ = try await ledger.refunds.expedite(ofPurchase: purchase.id)
            return .refundPending
        }
        var review: Review?
        // The latest first, because earlier ones are more likely to be clawed back already.
        for (refund, cancellation) in carriedOut.reversed() {
            let completion = CompleteRefund(
                user: purchase.user, refundID: refund.id, cancellationID: cancellation.id,
                cancelledAt: cancellation.cancelledAt, cancelledInAll: payment.cancelledInAll)
            if case .done(let decided) = try await ledger.submit(completion).outcome,
                decided.refund.status == .completed
            {
                review = .refundCompleted
            }
        }
        return review
    }

    /// Whether a pending refund of the purchase explains the rest of the cancelled amount; it becomes due at once.
    private func isRefunding(_ purchase: Purchase, _ payment: GatewayPayment) async throws(LedgerError) -> Bool {
        guard min(payment.cancelledInAll, purchase.amount) > purchase.refundedAmount else { return false }
        return try await ledger.refunds.expedite(ofPurchase: purchase.id)
    }

    private func claim(_ payment: GatewayPayment, _ identity: PaymentIdentity) async throws(LedgerError) -> Review {
        if let receipt = identity.receipt, let order = try await ledger.orders.find(named: identity.merchantUID) {
            let review = try await credit(payment, presentedAs: receipt, of: order)
            _ = try await decideWaiting(payment, identity)
            return review
        }
        if try await decideWaiting(payment, identity) { return .expedited }
        if try await ledger.retries.takeUpAgain(identity) {
            _ = try await decideWaiting(payment, identity)
            return .expedited
        }
        try await note(.unclaimed, payment, identity)
        return .unclaimed
    }

    /// Credits a payment as if the user of its order had presented it.
    private func credit(
        _ payment: GatewayPayment, presentedAs receipt: Receipt, of order: Order
    ) async throws(LedgerError) -> Review {
        switch try await crediter.credit(payment, presentedAs: receipt, to: order.user) {
        case .credited: .credited
        case .refused: .refused
        case .waiting(.gatewayUnavailable): .gatewayUnavailable
        case .waiting: .nothingPaid
        }
    }

    /// Decides the waiting receipts of a payment with the gateway's response, without another request.
    ///
    /// - Returns: whether there are waiting receipts.
    private func decideWaiting(
        _ payment: GatewayPayment, _ identity: PaymentIdentity
    ) async throws(LedgerError) -> Bool {
        let worker = ReceiptRetryWorker(crediter: crediter, answer: payment)
        let waiting = try await ledger.retries.take(of: identity, lease: worker.lease)
        for receipt in waiting {
            do {
                _ = try await worker.work(on: receipt, of: ledger.retries)
            } catch let error as LedgerError {
                throw error
            } catch {
                throw .unexpected("a waiting receipt could not be decided")
            }
        }
        return !waiting.isEmpty
    }

    private func note(
        _ kind: Finding.Kind, _ payment: GatewayPayment, _ identity: PaymentIdentity
    ) async throws(LedgerError) {
        try await ledger.findings.note(
            kind, identity, of: nil, amount: payment.amount, currency: payment.currency, paidAt: payment.paidAt)
    }
}

extension Refund {
    /// The payment's cancellation with this refund's key, if there is one.
    fileprivate func cancellation(markedIn payment: GatewayPayment, of purchase: Purchase) -> GatewayCancellation? {
        let request = try? CancellationRequest(self, of: purchase.payment, to: nil)
        return request?.cancellation(markedIn: payment)
    }
}

extension GatewayPayment {
    /// The cancelled amount.
    ///
    /// A payment that is cancelled without an amount is cancelled in full.
    var cancelledInAll: Int64 {
        status == .cancelled && cancelledAmount == 0 ? amount : cancelledAmount
    }

    /// The time of the last cancellation that is not a refund by ledgerd, if the gateway tells it.
    ///
    /// If all cancellations are refunds, it is the time of the last one.
    var lastCancelledAt: Date? {
        let carriedOut = cancellations.filter { $0.status == .succeeded }
        return carriedOut.filter { !$0.isOfRefund }.compactMap(\.cancelledAt).max()
            ?? carriedOut.compactMap(\.cancelledAt).max() ?? cancelledAt
    }
}
