// What the acts on a refund have in common.

extension Plan {
    /// The user's own refund with this id.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when it is pending and its purchase's lots do not hold what it says.
    func refund(_ id: Int64, of user: UserID) throws(LedgerError) -> Refund? {
        guard let refund = refunds.refund(id, of: user) else { return nil }
        guard refund.status == .pending, let purchase = purchases.purchase(refund.purchaseID, of: user) else {
            return refund
        }
        let lots = lots.of(purchase)
        let held = (
            paid: lots.first { $0.kind == .paid }?.held ?? 0, bonus: lots.first { $0.kind == .bonus }?.held ?? 0
        )
        guard held.paid >= refund.coins, held.bonus >= refund.bonusCoins, refund.coins >= refund.bonusCharged else {
            throw .unexpected("the refund with the id \(id) and its purchase's lots do not agree")
        }
        return refund
    }

    /// Coins of the purchase's own lots, of which it has one of each kind at most.
    func choices(of purchase: Purchase, paid: Int64, bonus: Int64) -> [Choice] {
        lots.of(purchase).map { Choice(lotID: $0.id, coins: $0.kind == .paid ? paid : bonus) }.filter { $0.coins > 0 }
    }

    /// A refund that was decided before.
    func asItIs(_ refund: Refund, of purchase: Purchase) -> Answer<RefundDecided> {
        Answer(decided(refund, of: purchase).outcome, isRepeat: true)
    }

    func decided(_ refund: Refund, of purchase: Purchase) -> Answer<RefundDecided> {
        .done(RefundDecided(refund: refund, purchase: purchase, balance: balance(of: refund.user)))
    }
}
