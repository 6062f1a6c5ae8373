package import Ledger

/// What finance does with refunds by bank transfer.
package struct BankRefundActs: Sendable {
    let ledger: Ledger
    /// How long coins of lots that have expired meanwhile can be used after a reversal.
    let grace: Duration

    /// - Throws: ``RefusedAct``.
    package func find(_ id: Int64) async throws -> Refund {
        guard let refund = try await ledger.refunds.find(id) else { throw RefusedAct(.noSuchRefund) }
        return refund
    }

    /// The bank has paid it.
    ///
    /// - Throws: ``RefusedAct``.
    package func pay(
        _ refund: Refund, _ payment: BankPayment, under key: CallerKey
    ) async throws -> Performed<RefundPaid> {
        try await ledger.perform(
            PayRefund(
                idempotencyKey: key, user: refund.user, refundID: refund.id, paidAt: payment.paidAt,
                bankReference: payment.reference))
    }

    /// It is not paid, and the coins come back.
    ///
    /// The payment is reviewed next: the gateway may have cancelled what was to go back by bank transfer.
    package func reverse(
        _ refund: Refund, because reason: String, under key: CallerKey
    ) async throws -> Performed<RefundReversed> {
        try await reviewing(
            ReverseRefund(
                idempotencyKey: key, user: refund.user, refundID: refund.id, reason: reason,
                grace: grace.components.seconds))
    }

    /// The money came back to our bank.
    ///
    /// The payment is reviewed next: usually the gateway has cancelled what the payer paid back.
    ///
    /// - Throws: ``RefusedAct``.
    package func repay(
        _ refund: Refund, _ payment: BankPayment, under key: CallerKey
    ) async throws -> Performed<RefundReversed> {
        try await reviewing(
            RepayRefund(
                idempotencyKey: key, user: refund.user, refundID: refund.id, paidAt: payment.paidAt,
                bankReference: payment.reference, grace: grace.components.seconds))
    }

    /// Performs a reversal, and has the payment looked up at the gateway: once for each reversal.
    private func reviewing<A: KeyedAct>(
        _ act: A
    ) async throws -> Performed<RefundReversed> where A.Success == RefundReversed {
        let performed = try await ledger.perform(act)
        let reversed = performed.success.refund
        guard let payment = try await ledger.purchases.find(reversed.purchaseID)?.payment else { return performed }
        try await ledger.requestReview(
            of: payment, after: "refund-reversal:\(reversed.id)", type: "ledgerd.refund_reversed")
        return performed
    }
}
