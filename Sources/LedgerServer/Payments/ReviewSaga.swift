import Foundation
import Ledger
import PGVerifier

/// The review of a payment that may have changed at the gateway: claws back what was cancelled, and credits what was
/// paid.
///
/// ```
/// askGateway ── findPurchase ┬ credited, and more is cancelled ── listRefunds ── completeRefund* ── clawBack ─┬ expedite?
///                            │                                                              confirm*? ──────┴ note?
///                            ├ credited, and a store took a refund back ── findClawBack ── askAgain ── reverseClawBack ── confirm*
///                            ├ credited ── endFinding? ── recordDispute* ── endFinding?
///                            ├ free ────── findFree ── changeFree* ── askAboutFree*
///                            ├ paid ────── findOrder ── credit? ── decideWaiting ── takeUpAgain? ── note?
///                            └ cancelled ─ resolve
/// ```
/// The gateway does not know who gets the coins of a payment:
/// - A payment of an order is credited to the order's user.
/// - With a setting, a payment without an order is credited to the user in its data.
/// - A payment with a stored receipt, under whatever name, is decided by the worker of stored receipts.
/// - Any other payment becomes a finding until a user presents it.
package struct ReviewSaga: Saga {
    let policy: VerdictPolicy
    /// The treatment of used bonus coins when a payment is cancelled.
    let usedBonus: UsedBonus
    /// Whether unused coins of a disputed payment are frozen.
    var freezesDisputed = false
    /// Who gets the coins of a payment without an order.
    var claims = ClaimRules()
    /// The time for which coins of expired lots can be used that come back.
    var grace = Duration.zero
    let first: Effect

    typealias Outcome = Review

    func step(after effect: Effect, _ event: Event, at now: Date) throws(LedgerError) -> Step {
        switch (effect, event) {
        case (.askGateway, .payment(let payment)): return .perform(.findPurchase(payment))
        case (.askGateway, .gatewayFailed(let error)):
            return .end(error.isDefinite && error.code == .notFound ? .unknownPayment : .gatewayUnavailable)
        case (.askGateway, .gatewayOff): return .end(.gatewayUnavailable)
        case (.findPurchase(let payment), .purchase(let purchase?)):
            if purchase.mayHaveBack(from: payment) { return .perform(.findClawBack(payment, purchase)) }
            let due = purchase.worth(ofCancelled: payment.cancelledInAll) - purchase.cancelledAmount
            return purchase.isDue(due, cancelled: payment.cancelledInAll)
                ? .perform(.listRefunds(payment, purchase)) : end(.agrees, payment, purchase)
        case (.findPurchase(let payment), .purchase(nil)):
            return payment.isFree ? .perform(.findFree(payment, then: nil)) : follow(uncredited: payment)
        case (.findFree, .freeFound(.forgotten)): return .end(.agrees)
        case (.findFree(let payment, _), .freeFound(.unknown)): return follow(uncredited: payment)
        case (.findFree(let payment, let review), .freeFound(.known(let free))):
            return follow(payment, free, after: review, at: now)
        case (.changeFree(let change, let payment), .freeChanged(let changed)):
            return after(change, changed, payment)
        case (.askAboutFree(_, let review), .payment(let payment)): return .perform(.findFree(payment, then: review))
        case (.askAboutFree, .gatewayFailed), (.askAboutFree, .gatewayOff): return .end(.gatewayUnavailable)

        case (.listRefunds(let payment, let purchase), .refunds(let refunds)):
            return follow(payment, purchase, refunds)
        case (.completeRefund(_, let rest, let isCompleted, let payment, let purchase), .refundDecided(let answer)):
            return complete(rest, isCompleted: isCompleted || answer.isCompleted, payment, purchase)
        case (.clawBack(_, let payment, let isCompleted), .clawedBack(let answer)):
            return afterClawBack(answer, payment, isCompleted: isCompleted)
        case (.findClawBack(let payment, let purchase), .clawBackFound(let clawBack)):
            // The store is asked by its own name: the purchase of a forgotten user has lost its names.
            guard let clawBack, let receipt = PaymentIdentity(payment).receipt else {
                return end(.agrees, payment, purchase)
            }
            return .perform(.askAgain(receipt, clawBack, purchase))
        case (.askAgain(_, let clawBack, let purchase), .payment(let payment)):
            guard purchase.mayHaveBack(from: payment), let store = payment.store else {
                return .perform(.findPurchase(payment))
            }
            let act = ReverseClawBack(
                clawBack, of: purchase, told: self.clawBack(payment, purchase), toldAt: store.toldAt,
                grace: grace.components.seconds)
            return .perform(.reverseClawBack(act, payment))
        case (.askAgain, .gatewayFailed), (.askAgain, .gatewayOff): return .end(.gatewayUnavailable)
        case (.reverseClawBack(_, let payment), .clawBackReversed(let answer)):
            return afterReversal(answer, payment)
        case (.confirm(_, let purchase, let review), .payment(let payment)):
            let isConfirmed = purchase.due(cancelled: payment.cancelledInAll) == purchase.cancelledAmount
            return isConfirmed ? conclude(review, payment, purchase) : .perform(.findPurchase(payment))
        case (.confirm, .gatewayFailed), (.confirm, .gatewayOff): return .end(.gatewayUnavailable)
        case (.recordDispute(_, let rest, let payment, let purchase, let review), .disputeRecorded(let answer)):
            let isNews = review == .agrees && !answer.isRepeat && answer.refusal == nil
            return record(rest, payment, purchase, then: isNews ? .disputed : review)
        case (.expedite, .expedited(true)): return .end(.refundPending)
        // The refund was decided meanwhile. Its decision may not explain the cancelled amount.
        case (.expedite(_, let payment), .expedited(false)): return .perform(.findPurchase(payment))

        case (.findOrder(let payment), .order(let order)):
            guard let user = order?.user ?? claims.payee(of: payment), let receipt = PaymentIdentity(payment).receipt
            else { return .perform(.decideWaiting(payment, then: nil)) }
            return .perform(.credit(payment, receipt, to: user))
        case (.credit(let payment, _, _), .receipt(let outcome)):
            return .perform(.decideWaiting(payment, then: Review(outcome)))
        // The payment is credited, so its disputes can be recorded.
        case (.decideWaiting(let payment, then: .credited?), .waitingDecided) where payment.isDisputed:
            return .perform(.findPurchase(payment))
        case (.decideWaiting(_, then: let review?), .waitingDecided): return .end(review)
        case (.decideWaiting(_, then: nil), .waitingDecided(true)): return .end(.expedited)
        case (.decideWaiting(let payment, then: nil), .waitingDecided(false)): return .perform(.takeUpAgain(payment))
        case (.takeUpAgain(let payment), .takenUpAgain(true)):
            return .perform(.decideWaiting(payment, then: .expedited))
        case (.takeUpAgain(let payment), .takenUpAgain(false)):
            return .perform(.note(.unclaimed, payment, of: nil, then: .unclaimed))
        case (.findSettled(let payment, let purchase, let review), .settled(let total)):
            return settle(payment, purchase, byHand: total, then: review)
        case (.note(_, _, _, let review), .stored): return .end(review)
        case (.endFinding(Finding.Kind.refundedTwice, let payment, let purchase, let review), .stored):
            return recordDisputes(payment, purchase, then: review)
        case (.endFinding(_, _, _, let review), .stored): return .end(review)
        case (.resolveFinding, .stored): return .end(.nothingCredited)
        default: throw .unexpected("an event of a review does not belong to its effect")
        }
    }

    private func follow(uncredited payment: GatewayPayment) -> Step {
        // A test payment has no money, so it does not become a finding.
        guard payment.isTest != true || policy.allowTestPayments else { return .end(.nothingPaid) }
        // A store also tells of subscriptions and what else the app sells.
        let areCoins = payment.store?.isConsumable != false
        switch payment.status {
        case .ready, .unknown: return .end(.nothingPaid)
        case .paid where payment.cancelledAmount == 0:
            return areCoins ? .perform(.findOrder(payment)) : .end(.nothingPaid)
        case .cancelled where payment.cancelledAmount < payment.amount && payment.cancelledAmount > 0,
            .partiallyCancelled, .paid:
            guard areCoins else { return .end(.nothingPaid) }
            return .perform(.note(.partiallyCancelled, payment, of: nil, then: .nothingCredited))
        case .cancelled, .failed: return .perform(.resolveFinding(payment))
        }
    }

    // MARK: - A credited payment of which more is cancelled than the books know

    /// First completes refunds that are recorded as refused but, by their keys in the payment, were carried out; the
    /// latest first, because earlier ones are more likely to be clawed back already.
    private func follow(_ payment: GatewayPayment, _ purchase: Purchase, _ refunds: [Refund]) -> Step {
        let carriedOut = refunds.filter { $0.status == .refused }
            .compactMap { refund in refund.cancellation(markedIn: payment, of: purchase).map { (refund, $0) } }
        if !carriedOut.isEmpty, refunds.contains(where: { $0.status == .pending }) {
            return .perform(.expedite(purchase, payment))
        }
        let completions = carriedOut.reversed().map { refund, cancellation in
            CompleteRefund(
                user: purchase.user, refundID: refund.id, cancellationID: cancellation.id,
                cancelledAt: cancellation.cancelledAt, cancelledInAll: payment.cancelledInAll)
        }
        return complete(completions, isCompleted: false, payment, purchase)
    }

    private func complete(
        _ completions: [CompleteRefund], isCompleted: Bool, _ payment: GatewayPayment, _ purchase: Purchase
    ) -> Step {
        if let next = completions.first {
            return .perform(
                .completeRefund(
                    next, rest: Array(completions.dropFirst()), isCompleted: isCompleted, payment, purchase))
        }
        return .perform(.clawBack(clawBack(payment, purchase), payment, isCompleted: isCompleted))
    }

    private func clawBack(_ payment: GatewayPayment, _ purchase: Purchase) -> ClawBack {
        ClawBack(
            user: purchase.user, payment: purchase.payment, cancelledAmount: payment.cancelledInAll,
            cancelledAt: payment.lastCancelledAt, usedBonus: usedBonus, freezes: freezesDisputed,
            toldAt: payment.store?.toldAt)
    }

    private func afterClawBack(
        _ answer: Answer<ClawedBack>, _ payment: GatewayPayment, isCompleted: Bool
    ) -> Step {
        guard case .done(let clawedBack) = answer.outcome else { return .end(.agrees) }
        guard !clawedBack.isOutdated else { return .end(.outdated) }
        let review: Review = answer.isRepeat ? (isCompleted ? .refundCompleted : .agrees) : .clawedBack
        return answer.isRepeat
            ? conclude(review, payment, clawedBack.purchase) : confirm(review, payment, clawedBack.purchase)
    }

    /// Asks a store whose total may fall once more, until it says what the books have: the answer that changed them can be older
    /// than one that another review found to agree with them, which left no trace.
    private func confirm(_ review: Review, _ payment: GatewayPayment, _ purchase: Purchase) -> Step {
        guard payment.totalMayFall, let receipt = PaymentIdentity(payment).receipt else {
            return conclude(review, payment, purchase)
        }
        return .perform(.confirm(receipt, purchase, then: review))
    }

    /// A pending refund can explain the rest of the cancelled amount; it becomes due at once.
    private func conclude(_ review: Review, _ payment: GatewayPayment, _ purchase: Purchase) -> Step {
        let twice = purchase.refundedTwice(cancelled: payment.cancelledInAll)
        let due = purchase.due(cancelled: payment.cancelledInAll) - purchase.cancelledAmount
        guard !purchase.isDue(due, cancelled: payment.cancelledInAll) else {
            return .perform(.expedite(purchase, payment))
        }
        return twice > 0
            ? .perform(.note(.refundedTwice, payment, of: purchase, then: review)) : end(review, payment, purchase)
    }

    // MARK: - A refund that a store took back

    /// The last claw-back was reversed.
    ///
    /// The store may have taken back more: the payment decides.
    private func afterReversal(_ answer: Answer<ClawBackReversed>, _ payment: GatewayPayment) -> Step {
        guard case .done(let reversed) = answer.outcome else { return .end(.outdated) }
        let purchase = reversed.purchase
        switch reversed.result {
        case .outdated: return .end(.outdated)
        case .noPlace: return .perform(.note(.refundReversed, payment, of: purchase, then: .agrees))
        case .givenBack: return confirm(.givenBack, payment, purchase)
        }
    }

    /// Ends the finding when the coins have a place now, or the payment was refunded again.
    ///
    /// Once a person gave back by hand, only a person knows what follows from another total.
    private func settle(
        _ payment: GatewayPayment, _ purchase: Purchase, byHand total: Int64?, then review: Review
    ) -> Step {
        total == nil || total == payment.cancelledInAll
            ? .perform(.endFinding(.refundReversed, payment, of: purchase, then: review))
            : .perform(.note(.refundReversed, payment, of: purchase, then: review))
    }

    // MARK: - Problems and disputes of a credited payment

    /// Ends with the review of a payment of which nothing goes back twice, after its disputes are recorded.
    ///
    /// That more went back than was paid can be over although a transfer stands: amounts decide.
    private func end(_ review: Review, _ payment: GatewayPayment, _ purchase: Purchase) -> Step {
        purchase.transferredAmount > 0
            ? .perform(.endFinding(.refundedTwice, payment, of: purchase, then: review))
            : recordDisputes(payment, purchase, then: review)
    }

    private func recordDisputes(
        _ payment: GatewayPayment, _ purchase: Purchase, then review: Review
    ) -> Step {
        let disputes = payment.disputes.map { dispute in
            RecordDispute(
                user: purchase.user, payment: purchase.payment, dispute: ReportedDispute(dispute),
                freezes: freezesDisputed)
        }
        return record(disputes, payment, purchase, then: review)
    }

    private func record(
        _ disputes: [RecordDispute], _ payment: GatewayPayment, _ purchase: Purchase, then review: Review
    ) -> Step {
        if let next = disputes.first {
            return .perform(.recordDispute(next, rest: Array(disputes.dropFirst()), payment, purchase, then: review))
        }
        guard payment.unreadableDispute == nil else {
            return .perform(.note(.disputeUnreadable, payment, of: purchase, then: review))
        }
        // Apple shows no disputes.
        guard !payment.totalMayFall else { return .perform(.findSettled(payment, purchase, then: review)) }
        // A payment without disputes may have one that the gateway does not show: a part of it was cancelled.
        return payment.disputes.isEmpty
            ? .end(review) : .perform(.endFinding(.disputeUnreadable, payment, of: purchase, then: review))
    }
}

extension Answer<RefundDecided> {
    fileprivate var isCompleted: Bool {
        guard case .done(let decided) = outcome else { return false }
        return decided.refund.status == .completed
    }
}

extension Refund {
    /// The payment's cancellation with this refund's key, if there is one.
    fileprivate func cancellation(markedIn payment: GatewayPayment, of purchase: Purchase) -> GatewayCancellation? {
        let request = try? CancellationRequest(self, of: purchase.payment, to: nil)
        return request?.cancellation(markedIn: payment)
    }
}

extension Purchase {
    /// Whether the store gave back less than was clawed back: it took a refund back.
    fileprivate func mayHaveBack(from payment: GatewayPayment) -> Bool {
        payment.totalMayFall && payment.amount == paidAmount && payment.currency == paidCurrency.code
            && cancelledAmount > due(cancelled: payment.cancelledInAll)
    }
}

extension ReportedDispute {
    fileprivate init(_ dispute: GatewayDispute) {
        self.init(
            gatewayID: dispute.id, openedAt: dispute.openedAt, reason: dispute.reason, isResolved: dispute.isResolved,
            resolvedAt: dispute.resolvedAt)
    }
}
