/// The bonus coins to take back when paid coins of a purchase are taken back, by a refund or a claw-back.
///
/// Bonus coins are due in proportion to all paid coins taken back so far, rounded down; all of them are due with the
/// last paid coin. Due coins are taken from the wallet, then from expired coins. For the rest, which was used, paid
/// coins are charged one for one. Charged coins count as paid coins taken back.
struct BonusDue {
    /// The purchase's paid coins.
    let coins: Int64
    /// The purchase's bonus coins.
    let bonusCoins: Int64
    /// Bonus coins that were taken back or charged before.
    let settled: Int64
    /// Bonus coins in the wallet.
    let inWallet: Int64
    /// Bonus coins that expired unused.
    let expired: Int64
    /// Bonus coins that were used and are not charged.
    private let forgiven: Int64

    /// - Parameter held: bonus coins on hold, which are neither used nor in the wallet.
    init(
        of purchase: Purchase, settled: Int64, inWallet: Int64, held: Int64, expired: Int64, usedBonus: UsedBonus
    ) {
        coins = purchase.coins
        bonusCoins = purchase.bonusCoins
        self.settled = settled
        self.inWallet = inWallet
        self.expired = expired
        forgiven = usedBonus == .forgive ? max(0, bonusCoins - settled - inWallet - held - expired) : 0
    }

    /// Bonus coins due when `gone` paid coins are taken back in total.
    private func due(when gone: Int64) -> Int64 { max(0, bonusCoins.share(min(gone, coins), of: coins) - settled) }

    /// Bonus coins to take from the wallet.
    func fromWallet(when gone: Int64) -> Int64 { min(due(when: gone), inWallet) }

    /// Bonus coins to take from expired coins.
    func fromExpired(when gone: Int64) -> Int64 { min(due(when: gone) - fromWallet(when: gone), expired) }

    /// Bonus coins to charge when `gone` paid coins, including charged ones, are taken back in total.
    func charged(when gone: Int64) -> Int64 { max(0, due(when: gone) - inWallet - expired - forgiven) }

    /// Bonus coins to charge in addition to `gone` paid coins, as far as `spare` paid coins are left.
    ///
    /// Each charged coin counts as a paid coin taken back, so it can make another bonus coin due.
    ///
    /// If `spare` does not suffice, the result is larger, and the user owes the rest.
    func charged(beside gone: Int64, outOf spare: Int64) -> Int64 {
        guard spare > 0 else { return charged(when: gone) }
        guard charged(when: gone + 1) > 0 else { return 0 }
        let most = charged(when: gone + spare)
        guard most < spare, bonusCoins < coins else { return most }
        // charged = bonusCoins × (gone + charged) ÷ coins − accountedFor
        let accountedFor = Int128(settled + inWallet + expired + forgiven)
        let charged = (Int128(bonusCoins) * Int128(gone) - accountedFor * Int128(coins)) / Int128(coins - bonusCoins)
        return min(most, Int64(charged))
    }
}
