package import Ledger

/// What finance decides about disputes, if the gateway's record does not tell how they ended.
package struct DisputeActs: Sendable {
    let ledger: Ledger
    /// The treatment of used bonus coins when a payment is taken back.
    let usedBonus: UsedBonus
    /// The time for which coins of expired lots can be used that come back.
    let grace: Duration

    /// - Throws: ``RefusedAct``.
    package func find(_ id: Int64) async throws -> DisputedPurchase {
        guard let found = try await ledger.disputes.find(id) else { throw RefusedAct(.noSuchDispute) }
        return found
    }

    /// Books how a dispute ended.
    ///
    /// If that gives back what a loss took, the payment is reviewed next: the gateway may have cancelled it since, which
    /// took nothing more then.
    package func decide(
        _ disputed: DisputedPurchase, _ outcome: DisputeOutcome, because reason: String, under key: CallerKey
    ) async throws -> Performed<DisputeRecorded> {
        let performed = try await ledger.perform(
            DecideDispute(
                idempotencyKey: key, on: disputed, isWon: outcome == .won, explanation: reason, usedBonus: usedBonus,
                grace: grace.components.seconds))
        if outcome == .won, let entryID = performed.success.journalEntryID {
            try await ledger.requestReview(
                of: disputed.purchase.payment, after: "dispute-won:\(entryID)", type: "ledgerd.dispute_won")
        }
        return performed
    }
}

/// How a dispute ends by a person's decision.
package enum DisputeOutcome: String, CaseIterable, Sendable {
    case won, lost
}
