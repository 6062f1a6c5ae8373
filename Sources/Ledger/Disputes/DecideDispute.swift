/// Books a person's decision on a dispute: the gateway's record does not tell how it ended.
///
/// A dispute that is won releases the purchase's frozen coins, as ``RecordDispute`` does. One that is lost takes back
/// what is left of the purchase, with the entry of a ``ClawBack``: the buyer has the money back, although the gateway
/// shows no cancellation. A later cancellation of the same money takes nothing more. While a refund of the purchase is
/// pending, or approved and not paid, the decision is refused: the refund's coins could come back.
package struct DecideDispute: KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package let user: UserID
    package let purchaseID: Int64
    package let disputeID: Int64
    /// Whether the money stays with the shop.
    package let isWon: Bool
    package let explanation: String
    /// What happens to bonus coins that were used; not part of the ``fingerprint``.
    package let usedBonus: UsedBonus

    package init(
        idempotencyKey: CallerKey, user: UserID, purchaseID: Int64, disputeID: Int64, isWon: Bool, explanation: String,
        usedBonus: UsedBonus = .charge
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.purchaseID = purchaseID
        self.disputeID = disputeID
        self.isWon = isWon
        self.explanation = explanation
        self.usedBonus = usedBonus
    }
}

// MARK: - Planning

extension DecideDispute {
    package var touches: Touches {
        Touches(
            systemAccounts: [
                .coinsIssued, .coinsPromotions, .coinsExpired, .gatewayReceivable, .deferredRevenue, .revenue,
                .breakage,
            ],
            userLots: .always, purchase: purchaseID)
    }

    package func plan(on books: inout Plan) -> Answer<DisputeRecorded> { books.decideDispute(self) }
}

extension Plan {
    fileprivate mutating func decideDispute(_ act: DecideDispute) -> Answer<DisputeRecorded> {
        guard var purchase = purchases.purchase(act.purchaseID, of: act.user),
            var dispute = disputes.dispute(act.disputeID, of: purchase)
        else { return .refused(.noSuchDispute) }
        // A dispute that was won can be lost later, and not the other way round.
        guard dispute.status == .open || dispute.status == .won && !act.isWon else {
            return .refused(.disputeDecided(dispute.status))
        }
        // Its coins would come back if it ended without money, although the buyer has all of it.
        guard act.isWon || !refunds.areUndecided(of: purchase) else { return .refused(.refundInProgress) }
        dispute.status = act.isWon ? .won : .lost
        dispute.decidedAt = recordedAt
        dispute.isBookedAsLost = act.isWon ? nil : true
        var decision = DisputeDecision(
            dispute: dispute, caller: (act.idempotencyKey.caller.rawValue, act.explanation), recordedAt: recordedAt)

        let isFrozen = disputes.frozen(of: purchase) != FrozenCoins()
        let taken = act.isWon ? nil : takeRest(of: purchase, act)
        if let taken {
            purchase = taken.purchase
            decision.taken = (taken.amount, taken.journalEntryID)
        }
        disputes.decide(decision)
        settleDisputes(of: purchase, freezes: isFrozen)
        return .done(
            DisputeRecorded(
                dispute: dispute, coins: taken?.coins ?? 0, bonusCoins: taken?.bonusCoins ?? 0,
                amount: taken?.amount ?? 0, journalEntryID: taken?.journalEntryID, balance: balance(of: act.user)))
    }

    /// Takes back what is left of the purchase; nil: nothing is left.
    private mutating func takeRest(of purchase: Purchase, _ act: DecideDispute) -> TakenBack? {
        let amount = purchase.amount - purchase.refundedAmount
        guard amount > 0 else { return nil }
        return takeBack(amount, of: purchase, because: act.explanation, usedBonus: act.usedBonus)
    }
}

// MARK: - How it is recorded under its key

extension DecideDispute {
    package static let name = "decideDispute"
    package static let successName = "disputeDecided"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(purchaseID), String(disputeID), isWon ? "won" : "lost", explanation)
    }

    package static func journalEntryID(of success: DisputeRecorded) -> Int64? { success.journalEntryID }
}
