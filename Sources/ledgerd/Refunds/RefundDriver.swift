import Ledger
import Logging
import PGVerifier

/// The only path from a pending refund to its result.
///
/// New refunds and retries use it: it calls the gateway and submits one act. It can be interrupted at any point and
/// repeated, by any process: a cancellation that may be under way is looked up and not requested again, unless the
/// gateway carries it out once, and the books decide a refund only once.
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
        /// A request that had no answer may still be carried out, and the gateway does not show it yet.
        case underWay
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
        switch try await ask(gateway, request, pending) {
        case .answered(.done(let cancellation)):
            return try await complete(pending.refund, of: payment, by: cancellation)
        case .answered(.pending): return .accepted
        case .answered(.refused(let refusal))
        where refusal.reason == .refusedByGateway && pending.firstRefusal == nil:
            return .refusedOnce(Refund.GatewayRefusal(refusal))
        case .answered(.refused(let refusal)):
            return try await release(pending.refund, of: payment, because: Refund.GatewayRefusal(refusal))
        case .stillRefused(let refusal):
            return try await release(pending.refund, of: payment, because: refusal)
        case .underWay: return .underWay
        case .unknown: return .unknown
        }
    }

    /// What the gateway says of a cancellation.
    private enum Reply {
        case answered(CancellationOutcome)
        /// It was refused before, and the payment still does not have it.
        case stillRefused(Refund.GatewayRefusal)
        case underWay
        case unknown
    }

    /// Looks the cancellation up; requests it if the gateway does not know it and has neither accepted nor refused it.
    private func ask(
        _ gateway: any MerchantGateway, _ request: CancellationRequest, _ pending: PendingRefund
    ) async throws(LedgerError) -> Reply {
        // A cancellation that was never requested needs no look-up.
        if pending.askedAt != nil {
            do throws(GatewayError) {
                if let known = try await gateway.outcome(of: request) { return .answered(known) }
            } catch {
                return unknown(pending, error)
            }
        }
        if pending.isAccepted { return .answered(.pending(nil)) }
        if let refusal = pending.firstRefusal { return .stillRefused(refusal) }
        if pending.mayBeUnderWay, !gateway.cancelsOncePerKey { return .underWay }
        // Another process may have taken the refund over from this one.
        guard let asking = try await ledger.refunds.beginAsking(pending) else { return .underWay }
        do throws(GatewayError) {
            return .answered(try await gateway.cancel(request))
        } catch {
            if !error.mayHaveBeenCarriedOut { try await ledger.refunds.wasNotAsked(pending, at: asking) }
            return unknown(pending, error)
        }
    }

    private func unknown(_ pending: PendingRefund, _ error: GatewayError) -> Reply {
        logger.warning("the result of a refund is unknown", metadata: ["id": "\(pending.id)", "error": "\(error)"])
        return .unknown
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
