// Shared by the acts on a refund.

extension Plan {
    /// The refund with this id; nil: not found, or another user's.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when the refund is pending and the lots of its purchase contradict it.
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
            throw .unexpected("refund \(id) and the lots of its purchase contradict each other")
        }
        return refund
    }

    /// Coins of the purchase's lots.
    ///
    /// It has at most one lot of each kind.
    func choices(of purchase: Purchase, paid: Int64, bonus: Int64) -> [Choice] {
        lots.of(purchase).map { Choice(lotID: $0.id, coins: $0.kind == .paid ? paid : bonus) }.filter { $0.coins > 0 }
    }

    /// The answer for a refund that was decided before.
    func asItIs(_ refund: Refund, of purchase: Purchase) -> Answer<RefundDecided> {
        Answer(decided(refund, of: purchase).outcome, isRepeat: true)
    }

    func decided(_ refund: Refund, of purchase: Purchase) -> Answer<RefundDecided> {
        .done(RefundDecided(refund: refund, purchase: purchase, balance: balance(of: refund.user)))
    }
}
