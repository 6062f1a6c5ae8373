import Ledger
import Logging
import PGVerifier

/// The one path from a pending refund to its end.
///
/// The request that begins a refund and the work list's retries end here: ask the gateway, and submit one command. It may
/// be cut off at any point and gone again: the gateway cancels once by its own protection, and the books decide once.
struct RefundDriver: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    let logger: Logger

    /// How far a refund came.
    enum Progress: Sendable {
        /// It is completed or refused, now or since before.
        case decided(PendingRefund.Decision)
        /// The gateway has accepted it, and carries it out later.
        case accepted
        /// It has refused, and may carry it out all the same: the payment has to be looked at once more.
        case refusedOnce(Refund.GatewayRefusal)
        /// It has refused a repetition, and may still be carrying out what was repeated.
        case doubted
        /// It is not known what the gateway did.
        case unknown
    }

    /// Asks the gateway, and books its definite answer.
    ///
    /// - Throws: ``LedgerError`` when the books can't be asked or written.
    func drive(_ pending: PendingRefund, of purchase: Purchase) async throws -> Progress {
        let payment = purchase.payment
        guard let gateway = gateways.gateway(named: payment.gateway),
            let request = try CancellationRequest(pending.refund, of: payment, to: pending.account)
        else { return .unknown }
        let outcome: CancellationOutcome?
        do {
            outcome = try await ask(gateway, request, pending)
        } catch {
            logger.warning("a refund's outcome is unknown", metadata: ["id": "\(pending.id)", "error": "\(error)"])
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

    /// What has become of the cancellation; one that the gateway does not know, and has neither accepted nor refused, is
    /// asked for.
    ///
    /// - Returns: nil, when it was refused before and the payment still does not show it.
    private func ask(
        _ gateway: any MerchantGateway, _ request: CancellationRequest, _ pending: PendingRefund
    ) async throws(GatewayError) -> CancellationOutcome? {
        // One that was just begun has not been asked for by anybody.
        if pending.attempts > 0, let known = try await gateway.outcome(of: request) { return known }
        if pending.isAccepted { return .pending(nil) }
        if pending.firstRefusal != nil { return nil }
        return try await gateway.cancel(request)
    }

    /// Should the books have taken it as refused meanwhile, the payment is looked at again, and the review decides.
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

    /// Another cancellation may be why, which could not be followed while this refund might have been it.
    ///
    /// So the payment is looked at again: by an event of our own, kept before the coins are released, so that no crash
    /// comes between.
    private func release(
        _ refund: Refund, of payment: PaymentIdentity, because refusal: Refund.GatewayRefusal
    ) async throws(LedgerError) -> Progress {
        logger.info(
            "a refund was refused", metadata: ["id": "\(refund.id)", "reason": "\(refusal.reason)"])
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
    /// A gateway's refusal, as the books keep it.
    fileprivate init(_ refusal: CancellationRefusal) {
        self.init(reason: refusal.reason.rawValue, gatewayCode: refusal.gatewayCode)
    }
}
