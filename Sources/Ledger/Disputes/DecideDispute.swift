/// Books a person's decision on a dispute: the gateway's record does not tell how it ended.
///
/// A dispute that is won releases the purchase's frozen coins, as ``RecordDispute`` does. One that is lost takes back
/// what is left of the purchase, with the entry of a ``ClawBack``: the buyer has the money back, although the gateway
/// shows no cancellation. A later cancellation of the same money takes nothing more. While a refund of the purchase is
/// pending, or approved and not paid, the decision is refused: the refund's coins could come back.
///
/// A dispute that is won after a person booked it as lost gives back what it took:
/// ``Plan/giveBack(_:of:because:grace:)``. It can be lost again. One that was lost by a cancellation at the gateway is
/// final.
package struct DecideDispute: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let purchaseID: Int64
    package let disputeID: Int64
    /// Whether the money stays with the shop.
    package let isWon: Bool
    package let explanation: String
    /// What happens to bonus coins that were used; not part of the ``fingerprint``.
    package let usedBonus: UsedBonus
    /// The purchase's lots (``DisputedPurchase/lots``), if the dispute is booked as lost.
    ///
    /// They are not part of the ``fingerprint``.
    package let lots: [Int64]
    /// The seconds for which coins of expired lots can be used that come back; 0: they expire at once.
    ///
    /// They are not part of the ``fingerprint``.
    package let grace: Int64

    package init(
        idempotencyKey: CallerKey, user: UserID, purchaseID: Int64, disputeID: Int64, isWon: Bool, explanation: String,
        usedBonus: UsedBonus = .charge, lots: [Int64] = [], grace: Int64 = 0
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.purchaseID = purchaseID
        self.disputeID = disputeID
        self.isWon = isWon
        self.explanation = explanation
        self.usedBonus = usedBonus
        self.lots = lots
        self.grace = grace
    }

    /// A decision on a dispute that was looked up.
    package init(
        idempotencyKey: CallerKey, on found: DisputedPurchase, isWon: Bool, explanation: String, usedBonus: UsedBonus,
        grace: Int64
    ) {
        self.init(
            idempotencyKey: idempotencyKey, user: found.dispute.user, purchaseID: found.purchase.id,
            disputeID: found.dispute.id, isWon: isWon, explanation: explanation, usedBonus: usedBonus, lots: found.lots,
            grace: grace)
    }
}

// MARK: - Planning

extension DecideDispute {
    package var touches: Touches {
        Touches(
            systemAccounts: SystemAccount.receivables + [
                .coinsIssued, .coinsPromotions, .coinsExpired, .deferredRevenue, .revenue, .breakage, .coinsWrittenOff,
            ],
            userLots: .first, purchase: purchaseID, purchaseLots: isWon ? lots : [], debtHistory: isWon)
    }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<DisputeRecorded> {
        try books.decideDispute(self)
    }
}

extension Plan {
    fileprivate mutating func decideDispute(_ act: DecideDispute) throws(LedgerError) -> Answer<DisputeRecorded> {
        guard let purchase = purchases.purchase(act.purchaseID, of: act.user),
            let dispute = disputes.dispute(act.disputeID, of: purchase)
        else { return .refused(.noSuchDispute) }
        // What a person booked as lost, a person can take back; what the gateway cancelled is gone.
        guard act.isWon ? dispute.mayBeWon : dispute.status != .lost else {
            return .refused(.disputeDecided(dispute.status))
        }
        // Its coins would come back if it ended without money, although the buyer has all of it.
        guard act.isWon || !refunds.areUndecided(of: purchase) else { return .refused(.refundInProgress) }
        guard dispute.status == .lost else { return .done(decide(dispute, of: purchase, act)) }
        return try winBack(dispute, of: purchase, act)
    }

    /// Decides a dispute of which nothing was taken back.
    private mutating func decide(_ dispute: Dispute, of purchase: Purchase, _ act: DecideDispute) -> DisputeRecorded {
        let isFrozen = disputes.frozen(of: purchase) != FrozenCoins()
        let taken = act.isWon ? nil : takeRest(of: purchase, act)
        let decided = book(dispute, act, moved: taken)
        let loss = taken.map {
            ClawBackLoss(
                journalEntryID: $0.journalEntryID, amount: $0.amount, foreignAmount: $0.foreignAmount,
                coins: $0.coins, bonusCoins: $0.bonusCoins, chargedCoins: $0.chargedCoins, lots: $0.lots)
        }
        disputes.note(loss, of: dispute)
        settleDisputes(of: taken?.purchase ?? purchase, freezes: isFrozen)
        return recorded(decided, moved: taken, of: act.user)
    }

    /// Decides a dispute for the shop that a person had booked as lost.
    private mutating func winBack(
        _ dispute: Dispute, of purchase: Purchase, _ act: DecideDispute
    ) throws(LedgerError) -> Answer<DisputeRecorded> {
        // If the caller looked for the purchase's lots before it was booked as lost, what that took was not read either.
        guard !act.lots.isEmpty, lots.of(purchase).count == (purchase.bonusCoins > 0 ? 2 : 1) else {
            return .refused(.disputeDecided(.lost))
        }
        guard let loss = disputes.loss(of: dispute) else {
            let decided = book(dispute, act, moved: nil)
            settleDisputes(of: purchase, freezes: false)
            return .done(recorded(decided, moved: nil, of: act.user))
        }
        // The buyer has the money by the other one.
        guard !disputes.isAnotherBookedAsLost(beside: dispute) else { return .refused(.disputeNotReversible) }
        let isFrozen = disputes.frozen(of: purchase) != FrozenCoins()
        guard let given = try giveBack(loss, of: purchase, because: act.explanation, grace: act.grace) else {
            return .refused(.disputeNotReversible)
        }
        let decided = book(dispute, act, moved: given)
        settleDisputes(of: given.purchase, freezes: isFrozen)
        return .done(recorded(decided, moved: given, of: act.user))
    }

    /// Notes the decision, and returns the dispute after it.
    private mutating func book(_ dispute: Dispute, _ act: DecideDispute, moved: TakenBack?) -> Dispute {
        var dispute = dispute
        dispute.status = act.isWon ? .won : .lost
        dispute.decidedAt = recordedAt
        dispute.isBookedAsLost = act.isWon ? nil : true
        var decision = DisputeDecision(
            dispute: dispute, caller: (act.idempotencyKey.caller.rawValue, act.explanation), recordedAt: recordedAt)
        decision.moved = moved.map { ($0.amount, $0.journalEntryID) }
        disputes.decide(decision)
        return dispute
    }

    private func recorded(_ dispute: Dispute, moved: TakenBack?, of user: UserID) -> DisputeRecorded {
        DisputeRecorded(
            dispute: dispute, coins: moved?.coins ?? 0, bonusCoins: moved?.bonusCoins ?? 0, amount: moved?.amount ?? 0,
            journalEntryID: moved?.journalEntryID, balance: balance(of: user))
    }

    /// Takes back what is left of the purchase; nil: nothing is left.
    private mutating func takeRest(of purchase: Purchase, _ act: DecideDispute) -> TakenBack? {
        let amount = purchase.amount - purchase.refundedAmount
        guard amount > 0 else { return nil }
        return takeBack(
            purchase.part(of: amount, cancelled: purchase.paidAmount), of: purchase, because: act.explanation,
            usedBonus: act.usedBonus)
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
