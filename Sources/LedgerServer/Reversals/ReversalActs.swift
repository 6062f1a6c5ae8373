import Ledger

/// Reversals of spends and captures by services and people.
struct ReversalActs: Sendable {
    let ledger: Ledger
    /// How long coins of lots that have expired meanwhile can be used.
    let grace: Duration

    /// Takes back coins of a spend or capture.
    ///
    /// - Parameters:
    ///   - coins: nil: all that are left.
    ///   - terms: what must hold, because a person decided about it.
    func reverse(
        _ redemption: Redemption, _ coins: Coins?, because reason: String?, terms: ReversalTerms = .none,
        under key: CallerKey
    ) async throws -> Performed<RedemptionReversed> {
        try await ledger.perform(
            ReverseRedemption(
                idempotencyKey: key, of: redemption, coins: coins, reason: reason, grace: grace.components.seconds,
                terms: terms))
    }
}
