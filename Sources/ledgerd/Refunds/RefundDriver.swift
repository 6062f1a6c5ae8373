import Ledger
import Logging
import PGVerifier

/// The only path from a pending refund to its result.
///
/// New refunds and retries use it: it calls the gateway and submits one act. It can be interrupted at any point and
/// repeated: the gateway's protection prevents a second cancellation, and the books decide a refund only once.
struct RefundDriver: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    let logger: Logger

    /// The result of an attempt.
    enum Progress: Sendable {
        /// The refund is completed or refused, now or before.
        case decided(PendingRefund.Decision)
        /// The gateway has accepted it and carries it out later.
        case accepted
        /// The gateway has refused it, but can still carry it out: the payment must be looked up again.
        case refusedOnce(Refund.GatewayRefusal)
        /// The gateway has refused a repeat, but can still be carrying out the first request.
        case doubted
        /// The result at the gateway is unknown.
        case unknown
    }

    /// Calls the gateway, and books its final response.
    ///
    /// - Throws: ``LedgerError`` when the books can't be read or written.
    func drive(_ pending: PendingRefund, of purchase: Purchase) async throws -> Progress {
        let payment = purchase.payment
        guard let gateway = gateways.gateway(named: payment.gateway),
            let request = try CancellationRequest(pending.refund, of: payment, to: pending.account)
        else { return .unknown }
        let outcome: CancellationOutcome?
        do {
            outcome = try await ask(gateway, request, pending)
        } catch {
            logger.warning("the result of a refund is unknown", metadata: ["id": "\(pending.id)", "error": "\(error)"])
            return .unknown
        }
        switch outcome {
        case .done(let cancellation): return try await complete(pending.refund, of: payment, by: cancellation)
        case .pending: return .accepted
        case .refused where !pending.believesRefusals: return .doubted
        case .refused(let refusal) where refusal.reason == .refusedByGateway && pending.attempts == 0:
            return .refusedOnce(Refund.GatewayRefusal(refusal))
        case .refused(let refusal):
            return try await release(pending.refund, of: payment, because: Refund.GatewayRefusal(refusal))
        case nil:
            guard let refusal = pending.firstRefusal else { return .unknown }
            return try await release(pending.refund, of: payment, because: refusal)
        }
    }

    /// Looks the cancellation up; requests it if the gateway does not know it and has neither accepted nor refused it.
    ///
    /// - Returns: nil if it was refused before, and the payment still does not have it.
    private func ask(
        _ gateway: any MerchantGateway, _ request: CancellationRequest, _ pending: PendingRefund
    ) async throws(GatewayError) -> CancellationOutcome? {
        // A new cancellation was never requested, so it needs no look-up.
        if pending.attempts > 0, let known = try await gateway.outcome(of: request) { return known }
        if pending.isAccepted { return .pending(nil) }
        if pending.firstRefusal != nil { return nil }
        return try await gateway.cancel(request)
    }

    /// Completes the refund.
    ///
    /// If the books have recorded it as refused meanwhile, the payment is reviewed again.
    private func complete(
        _ refund: Refund, of payment: PaymentIdentity, by cancellation: GatewayCancellation
    ) async throws(LedgerError) -> Progress {
        let progress = try await decide(
            CompleteRefund(
                user: refund.user, refundID: refund.id, cancellationID: cancellation.id,
                cancelledAt: cancellation.cancelledAt))
        if case .decided(.refused) = progress {
            try await lookAgain(at: payment, "\(refund.gatewayKey)/done", "ledgerd.refund_done_after_refusal")
        }
        return progress
    }

    /// Releases the coins of a refused refund.
    ///
    /// Another cancellation can be the cause of the refusal; it could not be booked while this refund was pending. So
    /// an internal event causes another review of the payment. It is stored before the coins are released, so that a
    /// crash does not lose it.
    private func release(
        _ refund: Refund, of payment: PaymentIdentity, because refusal: Refund.GatewayRefusal
    ) async throws(LedgerError) -> Progress {
        logger.info(
            "the gateway refused a refund", metadata: ["id": "\(refund.id)", "reason": "\(refusal.reason)"])
        try await lookAgain(at: payment, refund.gatewayKey, "ledgerd.refund_refused")
        return try await decide(
            ReleaseRefund(user: refund.user, refundID: refund.id, refusal: refusal))
    }

    private func lookAgain(
        at payment: PaymentIdentity, _ eventID: String, _ type: String
    ) async throws(LedgerError) {
        _ = try await ledger.webhooks.store(
            WebhookRecordDraft(
                gateway: payment.gateway, eventID: eventID, type: type, impUID: payment.impUID,
                merchantUID: payment.merchantUID, paymentID: payment.paymentID))
    }

    private func decide(_ act: some Act<RefundDecided>) async throws(LedgerError) -> Progress {
        guard case .done(let decided) = try await ledger.submit(act).outcome,
            let decision = PendingRefund.Decision(rawValue: decided.refund.status.rawValue)
        else { throw .unexpected("a refund was not decided") }
        return .decided(decision)
    }
}

extension Refund.GatewayRefusal {
    /// A gateway's refusal in the format of the books.
    fileprivate init(_ refusal: CancellationRefusal) {
        self.init(reason: refusal.reason.rawValue, gatewayCode: refusal.gatewayCode)
    }
}
