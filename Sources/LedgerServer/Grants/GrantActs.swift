import Foundation
package import Ledger

/// Grants of coins by services and people.
package struct GrantActs: Sendable {
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

    /// What of the grant with this journal entry can be voided.
    ///
    /// - Parameter user: whose grant it must be; nil: anybody's.
    /// - Throws: ``RefusedAct``.
    package func find(_ id: Int64, of user: UserID? = nil) async throws -> VoidableGrant {
        guard let grant = try await ledger.lots.voidable(id), user == nil || grant.lot.user == user else {
            throw RefusedAct(.noSuchGrant)
        }
        return grant
    }

    /// Takes back coins of a grant that are in the wallet.
    ///
    /// - Parameters:
    ///   - id: the journal entry of the grant.
    ///   - user: whose grant it must be; nil: anybody's.
    ///   - coins: nil: all that are in the wallet.
    ///   - terms: what must hold, because a person decided about it.
    /// - Throws: ``RefusedAct``.
    func void(
        _ id: Int64, of user: UserID? = nil, _ coins: Coins?, because reason: String, terms: VoidTerms = .none,
        under key: CallerKey
    ) async throws -> Performed<GrantVoided> {
        guard let lot = try await ledger.lots.ofGrant(id), user == nil || lot.user == user else {
            throw RefusedAct(.noSuchGrant)
        }
        return try await ledger.perform(
            VoidGrant(idempotencyKey: key, of: lot, coins: coins, reason: reason, terms: terms))
    }
}
