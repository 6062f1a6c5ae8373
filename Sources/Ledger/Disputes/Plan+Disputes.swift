import Foundation

// Freezing the coins of a disputed purchase, for all acts that a dispute concerns.

extension Plan {
    /// Freezes the purchase's coins in the wallet.
    ///
    /// Coins that have expired stay where they are.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    mutating func freeze(_ purchase: Purchase) -> Bool {
        let choices = lots.of(purchase)
            .filter { $0.remaining > 0 && !$0.isExpired(at: recordedAt) }
            .map { Choice(lotID: $0.id, coins: $0.remaining) }
        guard !choices.isEmpty else { return false }
        let (lots, uses) = using(choices) { lot, coins in
            lot.hold(coins)
            return 0
        }
        move(lots, .hold, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: purchase)
        return true
    }

    /// Releases the purchase's frozen coins to the wallet.
    ///
    /// - Returns: the coins that came back.
    @discardableResult
    mutating func release(frozenOf purchase: Purchase) -> [Choice] {
        let frozen = disputes.frozen(of: purchase)
        let choices = choices(of: purchase, paid: frozen.paid, bonus: frozen.bonus)
        guard !choices.isEmpty else { return [] }
        let (lots, _) = using(choices) { lot, coins in
            lot.release(coins, at: recordedAt)
            return 0
        }
        move(lots, .release, paid: frozen.paid, bonus: frozen.bonus, of: purchase)
        return choices
    }

    private mutating func move(
        _ lots: [Lot], _ act: CoinFreeze.Act, paid: Int64, bonus: Int64, of purchase: Purchase
    ) {
        let user = purchase.user
        let (kind, from, to): (EntryKind, [Line], [Line]) =
            switch act {
            case .hold:
                (
                    .disputeHold, walletLines(.debit, paid: paid, bonus: bonus, of: user),
                    heldLines(.credit, paid: paid, bonus: bonus, of: user)
                )
            case .release:
                (
                    .disputeRelease, heldLines(.debit, paid: paid, bonus: bonus, of: user),
                    walletLines(.credit, paid: paid, bonus: bonus, of: user)
                )
            }
        let entryID = post(
            kind, reference: "purchase:\(purchase.id)", effectiveAt: recordedAt, in: stripe(of: user), from + to)
        change(lots, by: entryID)
        disputes.record(
            CoinFreeze(
                journalEntryID: entryID, purchaseID: purchase.id, act: act, coins: paid, bonusCoins: bonus))
    }

    /// What follows for the disputes of a purchase from what was decided or cancelled of it.
    ///
    /// If all of its money went back, its open disputes are lost; not if all of it went back by bank transfer, which
    /// the buyer's bank does not know. If none is open, its frozen coins are released.
    ///
    /// - Parameter freezes: whether the purchase's coins are frozen while a dispute is open.
    /// - Returns: whether anything changed.
    @discardableResult
    mutating func settleDisputes(of purchase: Purchase, freezes: Bool) -> Bool {
        var isChanged = false
        if purchase.refundedAmount == purchase.amount, purchase.cancelledAmount > 0 {
            for var dispute in disputes.open(of: purchase) {
                dispute.status = .lost
                dispute.decidedAt = recordedAt
                disputes.decide(DisputeDecision(dispute: dispute, recordedAt: recordedAt))
                isChanged = true
            }
        }
        if !disputes.open(of: purchase).isEmpty { return (freezes && freeze(purchase)) || isChanged }
        let returned = release(frozenOf: purchase)
        guard !returned.isEmpty else { return isChanged }
        payDebt(of: purchase.user, returned: returned, reference: "purchase:\(purchase.id)")
        return true
    }
}
