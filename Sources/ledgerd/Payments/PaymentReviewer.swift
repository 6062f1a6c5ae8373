import Foundation
import Ledger
import PGVerifier

/// Brings the books in line with what a gateway says of a payment that nobody is presenting just now.
///
/// Webhooks and the sweep end here. Who gets the coins of a payment is never told by the gateway: a payment of an order is
/// the order's user's, one that somebody has presented is given to the receipts' retries, and any other waits as a
/// finding until somebody presents it.
struct PaymentReviewer: Sendable {
    let crediter: ReceiptCrediter
    /// What becomes of bonus coins that were used, of a payment that is cancelled.
    let usedBonus: UsedBonus

    private var ledger: Ledger { crediter.ledger }

    /// What a review came to.
    enum Review: Sendable, Equatable {
        /// The books say what the gateway says.
        case agrees
        /// A cancellation was followed.
        case clawedBack
        /// A refund that the gateway had refused turned out to be carried out, and is completed.
        case refundCompleted
        /// It is paid, and was credited to the user of its order.
        case credited
        /// It is paid, and its order does not take it.
        case refused
        /// More of it is cancelled than the books say, and a refund that is pending may be why.
        case refundPending
        /// It is paid, and its receipt waited: it was decided by what the gateway said.
        case expedited
        /// It is paid, and nobody has claimed it.
        case unclaimed
        /// Nothing was paid yet.
        case nothingPaid
        /// It is cancelled or failed, and was never credited.
        case nothingCredited
        /// The gateway knows no such payment.
        case unknownPayment
        /// The gateway can't be asked, or is off.
        case gatewayUnavailable
    }

    /// Asks the gateway about a payment and follows what it says.
    func review(_ receipt: Receipt) async throws(LedgerError) -> Review {
        guard let gateway = crediter.gateways.gateway(for: receipt) else { return .gatewayUnavailable }
        do {
            return try await follow(try await gateway.payment(for: receipt))
        } catch let error as GatewayError {
            return error.isDefinite && error.code == .notFound ? .unknownPayment : .gatewayUnavailable
        } catch let error as LedgerError {
            throw error
        } catch {
            throw .unexpected("the gateway's answer could not be followed")
        }
    }

    /// Follows what the gateway said of a payment.
    func follow(_ payment: GatewayPayment) async throws(LedgerError) -> Review {
        let identity = PaymentIdentity(payment)
        if let purchase = try await ledger.purchases.find(of: identity) {
            return try await follow(payment, credited: purchase)
        }
        // The test channel takes no money: nobody has to look for whose it is.
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

    /// Completes the refunds of a purchase that the gateway refused and, as the payment shows by their keys, carried out.
    ///
    /// - Returns: `refundCompleted`, or `refundPending` when another refund has to be decided first; nil for neither.
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
        // The latest first: an earlier one is more likely to have been clawed back already.
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

    /// Whether a pending refund of the purchase has to account for the rest that is cancelled: it is worked on at once.
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

    /// Credits a payment as if its order's user had presented it: the order says who that is.
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

    /// Decides the receipts of a payment that wait, under whichever name, by what the gateway has just said: it is not
    /// asked again for them.
    ///
    /// - Returns: whether there are any.
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
                throw .unexpected("a receipt that waits could not be decided")
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
    /// The cancellation of the payment that bears this refund's key, if there is one.
    fileprivate func cancellation(markedIn payment: GatewayPayment, of purchase: Purchase) -> GatewayCancellation? {
        let request = try? CancellationRequest(self, of: purchase.payment, to: nil)
        return request?.cancellation(markedIn: payment)
    }
}

extension GatewayPayment {
    /// What of it went back.
    ///
    /// A payment said to be cancelled without an amount went back whole.
    var cancelledInAll: Int64 {
        status == .cancelled && cancelledAmount == 0 ? amount : cancelledAmount
    }

    /// When it was last cancelled, in part or whole, other than for a refund of ours, if the gateway said so.
    ///
    /// What was taken back before was cancelled before. Only of a refund that the books have as refused its own is left.
    var lastCancelledAt: Date? {
        let carriedOut = cancellations.filter { $0.status == .succeeded }
        return carriedOut.filter { !$0.isOfRefund }.compactMap(\.cancelledAt).max()
            ?? carriedOut.compactMap(\.cancelledAt).max() ?? cancelledAt
    }
}
