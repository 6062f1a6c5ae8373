import Ledger

/// Gifts of coins from user to user.
package struct GiftActs: Sendable {
    let ledger: Ledger
    let settings: GiftSettings

    /// Gives coins of a user to another one, within the settings.
    ///
    /// - Throws: ``RefusedAct``.
    func give(
        _ coins: Coins, from giver: UserID, to receiver: UserID, because reason: String?, under key: CallerKey
    ) async throws -> Performed<Gifted> {
        try await ledger.perform(
            Gift(
                idempotencyKey: key, from: giver, to: receiver, coins: coins, reason: reason, rules: settings.rules()))
    }
}
