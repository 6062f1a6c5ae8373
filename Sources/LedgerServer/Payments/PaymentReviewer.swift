package import Ledger
import Logging
package import PGVerifier

/// Updates the books after a change of a payment at the gateway: performs the effects of ``ReviewSaga``.
///
/// Webhooks, the sweep and reconciliations call it.
package struct PaymentReviewer: Sendable {
    package let crediter: ReceiptCrediter
    /// The treatment of used bonus coins when a payment is cancelled.
    let usedBonus: UsedBonus
    /// Whether unused coins of a disputed payment are frozen.
    let freezesDisputed: Bool
    /// The time for which coins of expired lots can be used that come back.
    let grace: Duration
    let logger: Logger

    private var ledger: Ledger { crediter.ledger }

    /// Looks a payment up at the gateway and updates the books.
    func review(_ receipt: Receipt) async throws(LedgerError) -> ReviewSaga.Review {
        try await run(.askGateway(receipt))
    }

    /// Updates the books after a response of the gateway.
    package func follow(_ payment: GatewayPayment) async throws(LedgerError) -> ReviewSaga.Review {
        try await run(.findPurchase(payment))
    }

    private func run(_ first: ReviewSaga.Effect) async throws(LedgerError) -> ReviewSaga.Review {
        let saga = ReviewSaga(
            policy: crediter.rules.policy, usedBonus: usedBonus, freezesDisputed: freezesDisputed,
            claims: crediter.rules.claims, grace: grace, first: first)
        return try await saga.run { effect throws(LedgerError) in try await perform(effect) }
    }

    private func perform(_ effect: ReviewSaga.Effect) async throws(LedgerError) -> ReviewSaga.Event {
        switch effect {
        case .askGateway(let receipt), .askAgain(let receipt, _, _), .confirm(let receipt, _, then: _),
            .askAboutFree(let receipt, then: _):
            let event = await ask(receipt)
            guard case .payment(let payment) = event else { return event }
            return .payment(try await described(payment))
        case .findPurchase(let payment):
            return .purchase(
                try await ledger.purchases.recognise(PaymentSighting(payment), after: crediter.rules.forgettingKey))
        case .listRefunds(_, let purchase):
            return .refunds(try await ledger.refunds.list(ofPurchase: purchase.id))
        case .completeRefund(let act, _, _, _, _): return .refundDecided(try await ledger.submit(act))
        case .clawBack(let act, _, _): return .clawedBack(try await ledger.submit(act))
        case .findClawBack(_, let purchase):
            return .clawBackFound(try await ledger.purchases.reversibleClawBack(of: purchase))
        case .reverseClawBack(let act, _): return .clawBackReversed(try await ledger.submit(act))
        case .findFree(let payment, _):
            let known = try await ledger.freePurchases.lookUp(PaymentIdentity(payment))
            if case .known = known { try await crediter.followFree(PaymentIdentity(payment)) }
            return .freeFound(known)
        case .changeFree(let change, _): return .freeChanged(try await ledger.freePurchases.make(change))
        case .recordDispute(let act, _, _, _, _): return .disputeRecorded(try await ledger.submit(act))
        case .expedite(let purchase, _):
            return .expedited(try await ledger.refunds.expedite(ofPurchase: purchase.id))
        case .findOrder(let payment): return .order(try await ledger.orders.find(named: payment.merchantUID))
        case .credit(let payment, let receipt, let user):
            // Its app may never present it, so it waits as a receipt of its user does.
            return .receipt(
                try await crediter.credit(payment, presentedAs: receipt, to: user, keepsUnbookable: true))
        case .decideWaiting(let payment, _): return .waitingDecided(try await decideWaiting(payment))
        case .takeUpAgain(let payment):
            return .takenUpAgain(try await ledger.retries.takeUpAgain(PaymentIdentity(payment)))
        case .note(let kind, let payment, let purchase, _):
            if kind == .disputeUnreadable { log(unreadableDisputeOf: payment) }
            try await ledger.findings.note(
                kind, purchase?.payment ?? PaymentIdentity(payment), of: purchase?.user,
                amount: payment.amount, currency: payment.currency, paidAt: payment.paidAt,
                cancelled: [.refundedTwice, .refundReversed].contains(kind) ? payment.cancelledInAll : nil,
                named: crediter.rules.claims.user(namedBy: payment))
            return .stored
        case .endFinding(let kind, let payment, let purchase, _):
            // A total that may fall disproves what a larger one said before.
            let isAboutTotal = kind == .refundedTwice && !payment.totalMayFall
            try await ledger.findings.end(
                kind, under: purchase.payment, cancelled: isAboutTotal ? payment.cancelledInAll : nil)
            return .stored
        case .findSettled(_, let purchase, _):
            return .settled(try await ledger.findings.settledByHand(purchase.payment))
        case .resolveFinding(let payment):
            try await ledger.findings.resolve(underEveryNameOf: PaymentSighting(payment))
            return .stored
        }
    }

    private func log(unreadableDisputeOf payment: GatewayPayment) {
        logger.warning(
            "a dispute can't be read",
            metadata: [
                "gateway": "\(payment.gateway)", "merchant_uid": "\(payment.merchantUID)",
                "error": "\(payment.unreadableDispute ?? "")",
            ])
    }

    /// Of a store's purchase, only the books know whom its token names, and what its product is of ours.
    func described(_ payment: GatewayPayment) async throws(LedgerError) -> GatewayPayment {
        guard payment.store != nil else { return payment }
        return try await crediter.markedAsCoins(try await crediter.named(payment))
    }

    private func ask(_ receipt: Receipt) async -> ReviewSaga.Event {
        guard let gateway = crediter.gateways.gateway(for: receipt) else { return .gatewayOff }
        do throws(GatewayError) {
            return .payment(try await crediter.payment(for: receipt, at: gateway))
        } catch {
            return .gatewayFailed(error)
        }
    }

    /// Receipts of the order at another gateway are decided by their worker, with that gateway's response.
    ///
    /// - Returns: whether there are waiting receipts.
    private func decideWaiting(_ payment: GatewayPayment) async throws(LedgerError) -> Bool {
        let worker = ReceiptRetryWorker(crediter: crediter, answer: payment)
        let waiting = try await ledger.retries.take(of: PaymentIdentity(payment), lease: worker.lease)
        for receipt in waiting {
            do {
                _ = try await worker.work(on: receipt, of: ledger.retries)
            } catch let error as LedgerError {
                throw error
            } catch {
                throw .unexpected("a waiting receipt could not be decided")
            }
        }
        let isExpedited = try await ledger.retries.expedite(ofOtherNamesOf: PaymentIdentity(payment))
        return !waiting.isEmpty || isExpedited
    }
}
