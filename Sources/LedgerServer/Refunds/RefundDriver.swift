import Ledger
import Logging
import PGVerifier

/// Attempts refunds, new and waiting ones: performs the effects of ``RefundSaga``.
struct RefundDriver: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    let logger: Logger

    /// Calls the gateway, and books its final response.
    ///
    /// - Throws: ``LedgerError`` when the books can't be read or written.
    func drive(_ pending: PendingRefund, of purchase: Purchase) async throws -> RefundSaga.Progress {
        let payment = purchase.payment
        guard let gateway = gateways.canceller(named: payment.gateway),
            let request = try CancellationRequest(pending.refund, of: payment, to: pending.account)
        else { return .unknown }
        let saga = RefundSaga(
            pending: pending, cancelsOncePerKey: gateway.cancelsOncePerKey,
            taxFree: TaxFreePart(of: pending.refund, purchase, isTold: gateways.tellTaxFreeRest))
        return try await saga.run { effect throws(LedgerError) in
            switch effect {
            case .lookUp:
                return await ask(pending) { () throws(GatewayError) in
                    .outcome(try await gateway.outcome(of: request))
                }
            case .findTaxFree:
                return await ask(pending) { () throws(GatewayError) in
                    .taxFree(try await gateways.taxFreeRest(of: request.receipt)?.part(of: request.amount))
                }
            case .beginAsking(let taxFree):
                return .asking(try await ledger.refunds.beginAsking(pending, taxFree: taxFree))
            case .cancel(let asking):
                var request = request
                request.taxFree = asking.taxFree
                return await ask(pending) { [request] () throws(GatewayError) in
                    .outcome(try await gateway.cancel(request))
                }
            case .withdraw(let time):
                try await ledger.refunds.wasNotAsked(pending, at: time)
                return .stored
            case .complete(let cancellation): return .decided(try await complete(pending.refund, by: cancellation))
            case .reviewPayment(let cause):
                _ = try await ledger.webhooks.store(WebhookRecordDraft(payment, because: cause, of: pending.refund))
                return .stored
            case .release(let refusal): return .decided(try await release(pending.refund, because: refusal))
            }
        }
    }

    private func ask(
        _ pending: PendingRefund, _ call: () async throws(GatewayError) -> RefundSaga.Event
    ) async -> RefundSaga.Event {
        do {
            return try await call()
        } catch {
            logger.warning("the result of a refund is unknown", metadata: ["id": "\(pending.id)", "error": "\(error)"])
            return .gatewayFailed(mayHaveBeenCarriedOut: error.mayHaveBeenCarriedOut)
        }
    }

    private func complete(
        _ refund: Refund, by cancellation: GatewayCancellation
    ) async throws(LedgerError) -> PendingRefund.Decision {
        try await decide(
            CompleteRefund(
                user: refund.user, refundID: refund.id, cancellationID: cancellation.id,
                cancelledAt: cancellation.cancelledAt))
    }

    private func release(
        _ refund: Refund, because refusal: Refund.GatewayRefusal
    ) async throws(LedgerError) -> PendingRefund.Decision {
        logger.info(
            "the gateway refused a refund", metadata: ["id": "\(refund.id)", "reason": "\(refusal.reason)"])
        return try await decide(ReleaseRefund(user: refund.user, refundID: refund.id, refusal: refusal))
    }

    private func decide(_ act: some Act<RefundDecided>) async throws(LedgerError) -> PendingRefund.Decision {
        guard case .done(let decided) = try await ledger.submit(act).outcome,
            let decision = PendingRefund.Decision(rawValue: decided.refund.status.rawValue)
        else { throw .unexpected("a refund was not decided") }
        return decision
    }
}

extension WebhookRecordDraft {
    /// The internal event that causes another review of a refund's payment.
    init(_ payment: PaymentIdentity, because cause: RefundSaga.ReviewCause, of refund: Refund) {
        let (eventID, type) =
            switch cause {
            case .done: ("\(refund.gatewayKey)/booked", "ledgerd.refund_done")
            case .refused: (refund.gatewayKey, "ledgerd.refund_refused")
            case .doneAfterRefusal: ("\(refund.gatewayKey)/done", "ledgerd.refund_done_after_refusal")
            }
        self.init(reviewing: payment, after: eventID, type: type)
    }
}
