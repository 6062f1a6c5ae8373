import FoundationEssentials
import SandboxSupport

extension SandboxState {
    /// Simulates the payment window for each of many payments.
    ///
    /// - Throws: ``ControlError`` for the first payment that the real window would refuse; earlier payments stay.
    func pay(_ batch: PaymentBatch) throws(ControlError) {
        for draft in batch.drafts { _ = try pay(draft) }
    }

    /// Changes a payment as the console does.
    ///
    /// A change to the present status has no effect.
    ///
    /// - Throws: ``ControlError`` for an impossible change.
    func change(_ impUID: String, by change: PaymentChange) throws(ControlError) -> PaymentChangeResult {
        guard var payment = payments[impUID] else { throw ControlError(.notFound, "imp_uid", "isn't known") }
        switch change {
        case .status(let status, let reason): try step(&payment, to: status, reason)
        case .cancel(let cancellation): try cancel(&payment, cancellation)
        case .decideCancellation(let id, let outcome):
            let waiting = payment.cancellations.first { $0.status == .requested && (id == nil || $0.id == id) }
            guard let waiting else { throw ControlError(.conflict, "cancellation_id", "names no pending cancellation") }
            payment.decideCancellation(waiting.id, as: outcome, now: currentTime)
        case .dispute(let change, let reason): try dispute(&payment, change, reason)
        }
        return keep(payment)
    }

    private func dispute(
        _ payment: inout SandboxPayment, _ change: PaymentChange.DisputeChange, _ reason: String?
    ) throws(ControlError) {
        let isOpen = payment.disputes.contains { $0.resolvedAt == nil }
        guard payment.status == .paid, payment.draft.home != .v1 else {
            throw ControlError(.conflict, "dispute", "requires a paid payment of V2")
        }
        guard isOpen == (change != .open) else {
            throw ControlError(.conflict, "dispute", isOpen ? "is open already" : "is not open")
        }
        if change == .open { return payment.dispute(reason ?? "본인 사용 아님", now: currentTime) }
        payment.resolveDispute(now: currentTime)
        guard change == .lose, payment.balance > 0 else { return }
        payment.cancel(
            Cancellation(
                amount: payment.balance, taxFree: payment.taxFreeBalance, reason: reason ?? "차지백",
                trigger: .chargeback, now: currentTime))
    }

    private func step(
        _ payment: inout SandboxPayment, to status: SandboxPayment.Status, _ reason: String?
    ) throws(ControlError) {
        switch (payment.status, status) {
        case (let old, let new) where old == new: break
        case (.ready, .paid), (.payPending, .paid), (.accountIssued, .paid), (.failed, .paid):
            payment.pay(at: currentTime, now: currentTime)
        case (.ready, .failed), (.payPending, .failed), (.accountIssued, .failed):
            payment.fail(reason, now: currentTime)
        case (.ready, .payPending), (.ready, .accountIssued): payment.wait(as: status, now: currentTime)
        case (let old, let new):
            throw ControlError(.badRequest, "status", "can't become \(new.rawValue) from \(old.rawValue)")
        }
    }

    private func cancel(
        _ payment: inout SandboxPayment, _ change: PaymentChange.CancellationByHand
    ) throws(ControlError) {
        guard payment.wasApproved else {
            throw ControlError(.badRequest, "status", "can't become CANCELLED from \(payment.status.rawValue)")
        }
        let amount = change.amount ?? payment.balance
        guard amount <= payment.balance else {
            throw ControlError(.badRequest, "cancel_amount", "exceeds the balance")
        }
        guard amount > 0 else { return }
        let taxFree = change.taxFree ?? payment.taxFreePart(of: amount)
        guard payment.fits(taxFree, of: amount) else {
            throw ControlError(.badRequest, "tax_free", "leaves a part that the payment does not have")
        }
        payment.cancel(
            Cancellation(
                amount: amount, taxFree: taxFree, reason: change.reason ?? "관리자 취소", trigger: .console,
                status: change.isPending ? .requested : .succeeded, now: currentTime))
    }
}
