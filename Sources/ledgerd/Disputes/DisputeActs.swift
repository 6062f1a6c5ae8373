import Ledger

/// What finance decides about disputes, if the gateway's record does not tell how they ended.
struct DisputeActs: Sendable {
    let ledger: Ledger
    /// The treatment of used bonus coins when a payment is taken back.
    let usedBonus: UsedBonus
    /// The time for which coins of expired lots can be used that come back.
    let grace: Duration

    /// - Throws: ``RefusedAct``.
    func find(_ id: Int64) async throws -> DisputedPurchase {
        guard let found = try await ledger.disputes.find(id) else { throw RefusedAct(.noSuchDispute) }
        return found
    }

    /// Books how a dispute ended.
    func decide(
        _ disputed: DisputedPurchase, _ outcome: DisputeOutcome, because reason: String, under key: CallerKey
    ) async throws -> Performed<DisputeRecorded> {
        try await ledger.perform(
            DecideDispute(
                idempotencyKey: key, on: disputed, isWon: outcome == .won, explanation: reason, usedBonus: usedBonus,
                grace: grace.components.seconds))
    }
}

/// How a dispute ends by a person's decision.
enum DisputeOutcome: String, CaseIterable, Sendable {
    case won, lost
}
