/// What becomes of a purchase's bonus coins when bought coins of it go: the same for a refund and for a claw-back.
///
/// They go in proportion to all bought coins that went, rounded down; all of them with the last one. Those that are there
/// are taken, those that expired are nobody's, and for the others bought coins are charged, one for one. Coins that are
/// charged are bought coins that go, too.
struct BonusDue {
    /// The purchase's bought coins.
    let coins: Int64
    /// Its bonus coins.
    let bonusCoins: Int64
    /// Of the bonus coins, how many went or were charged before.
    let settled: Int64
    /// How many are in the wallet.
    let inWallet: Int64
    /// How many expired unused.
    let expired: Int64
    /// How many were used and are left to the user.
    private let forgiven: Int64

    /// - Parameter held: how many are held: not used, and not there either.
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

    /// How many have to go when so many bought coins went in all.
    private func due(when gone: Int64) -> Int64 { max(0, bonusCoins.share(min(gone, coins), of: coins) - settled) }

    /// How many are taken out of the wallet.
    func fromWallet(when gone: Int64) -> Int64 { min(due(when: gone), inWallet) }

    /// How many are taken of those that expired.
    func fromExpired(when gone: Int64) -> Int64 { min(due(when: gone) - fromWallet(when: gone), expired) }

    /// How many are charged when so many bought coins went in all, those charged among them.
    func charged(when gone: Int64) -> Int64 { max(0, due(when: gone) - inWallet - expired - forgiven) }

    /// How many are charged beside so many bought coins that went, while there are spare ones to charge them against:
    /// one after the other, for as long as another one is due with the one before it gone.
    ///
    /// More than the spare ones where those do not suffice: the rest is owed.
    func charged(beside gone: Int64, outOf spare: Int64) -> Int64 {
        guard spare > 0 else { return charged(when: gone) }
        guard charged(when: gone + 1) > 0 else { return 0 }
        let most = charged(when: gone + spare)
        guard most < spare, bonusCoins < coins else { return most }
        // charged = bonusCoins × (gone + charged) ÷ coins − those that are accounted for
        let accountedFor = Int128(settled + inWallet + expired + forgiven)
        let charged = (Int128(bonusCoins) * Int128(gone) - accountedFor * Int128(coins)) / Int128(coins - bonusCoins)
        return min(most, Int64(charged))
    }
}
