package import Ledger

/// Refunds of purchases by services and people.
package struct RefundActs: Sendable {
    let ledger: Ledger
    let desk: RefundDesk

    /// What is asked for.
    struct Request: Sendable {
        let purchase: Purchase
        /// Nil: all that can be refunded.
        let coins: Coins?
        let reason: String
        var method = Refund.Method.gateway
        /// The account that receives the money, for payment methods that can't return it themselves.
        var account: BankAccount?
        /// Why the fee is waived; nil: it is not.
        var feeWaiver: String?
        /// What must hold, because a person decided about it.
        var terms = RefundTerms.none
    }

    /// Whether the gateway of the purchase is configured.
    package func canAskGateway(of purchase: Purchase) -> Bool { desk.canAskGateway(of: purchase) }

    /// What a refund would give back now, and what it would take.
    package func quote(for coins: Coins?, of purchase: Purchase, isWaived: Bool = false) async throws -> RefundQuote {
        try await ledger.refunds.quote(for: coins, of: purchase, policy: desk.policy, isWaived: isWaived)
    }

    /// Begins a refund and attempts it; the refund as it stands then, also refused by the gateway.
    ///
    /// - Throws: `gateway_off`; ``RefusedAct``.
    func refund(_ asked: Request, under key: CallerKey) async throws -> Performed<Refund> {
        let purchase = asked.purchase
        if asked.method == .gateway { try await desk.requireGateway(of: purchase, under: key) }
        let begun = try await ledger.perform(
            BeginRefund(
                idempotencyKey: key, user: purchase.user, purchaseID: purchase.id, coins: asked.coins,
                explanation: asked.reason, method: asked.method, account: asked.account, policy: desk.policy,
                feeWaiver: asked.feeWaiver, terms: asked.terms))
        let refund = try await desk.attempt(begun.success.refund, to: asked.account, isRepeat: begun.isRepeat)
        return Performed(success: refund, isRepeat: begun.isRepeat)
    }
}
