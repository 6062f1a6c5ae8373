import Foundation
import Ledger

/// Grants of coins by services and people.
struct GrantActs: Sendable {
    let ledger: Ledger
    let limits: GrantLimits

    /// Grants coins within the limits of one grant and of the caller's day.
    ///
    /// - Throws: `grant_limit_exceeded`; `idempotency_key_reused`; ``RefusedAct``.
    func grant(
        _ coins: Coins, to user: UserID, because reason: String, issuer: String, expiresAt: Date? = nil,
        under key: CallerKey
    ) async throws -> Performed<Granted> {
        try await limits.check(coins, key, in: ledger)
        return try await ledger.perform(
            Grant(
                idempotencyKey: key, user: user, coins: coins, reason: reason, issuer: issuer, expiresAt: expiresAt))
    }
}
