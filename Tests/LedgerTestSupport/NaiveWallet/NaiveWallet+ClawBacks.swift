package import Foundation

extension NaiveWallet {
    /// So much of a payment is cancelled at the gateway in all.
    package mutating func clawBack(
        _ name: String, cancelled: Int64, forgives: Bool = false, freezes: Bool = false, at now: Date
    ) {
        let isFrozen = isFrozen(name)
        guard takeBack(name, cancelled: cancelled, forgives: forgives, at: now) else { return }
        if let lastLoss { standing[name, default: []].append(lastLoss) }
        settle(name, freezes: isFrozen || freezes, at: now)
    }

    /// The store took the refund of the last claw-back back.
    ///
    /// - Parameters:
    ///   - cancelled: what was cancelled of the payment when it was asked.
    ///   - total: what is cancelled of it since.
    /// - Returns: whether that gave coins back.
    package mutating func restore(
        _ name: String, cancelled: Int64, total: Int64, forgives: Bool = false, freezes: Bool = false, grace: Double,
        at now: Date
    ) -> Bool {
        guard let purchase = purchases[name], purchase.refundedAmount - purchase.transferred == cancelled,
            booked[name, default: [:]].isEmpty, let loss = standing[name]?.last
        else { return false }
        let isFrozen = isFrozen(name)
        guard giveBack(loss, of: name, grace: grace, at: now) else { return false }
        standing[name]?.removeLast()
        if takeBack(name, cancelled: total, forgives: forgives, at: now), let lastLoss {
            standing[name, default: []].append(lastLoss)
        }
        settle(name, freezes: isFrozen || freezes, at: now)
        return true
    }

    /// - Returns: whether anything was left to take.
    mutating func takeBack(_ name: String, cancelled: Int64, forgives: Bool, at now: Date) -> Bool {
        guard var purchase = purchases[name] else { return false }
        let cancelled = min(cancelled, purchase.amount)
        let pending = refunds.values.first { $0.purchase == name && $0.status == "pending" }
        let twice = max(0, cancelled + purchase.transferred - purchase.amount)
        let won =
            cancelled - twice - (purchase.refundedAmount - purchase.transferred)
            - (pending.map { $0.value - $0.fee } ?? 0)
        guard won > 0, let paid = lots.firstIndex(where: { $0.purchase == name && !$0.isBonus }) else { return false }
        _ = unfreeze(name)
        let before = lots
        let most = purchase.coins - (pending.map { $0.coins - $0.charged } ?? 0)
        let coins = max(
            0,
            min(part(of: purchase.coins, purchase.refundedAmount + won, of: purchase.amount), most)
                - purchase.refundedCoins)
        let unused = takeBack(coins, of: name, isBonus: false, for: won)

        // Paid coins are charged one by one, and each is one more that went.
        var gone = purchase.refundedCoins + purchase.charged + (pending?.coins ?? 0) + coins
        func bonusDue(_ gone: Int64) -> (there: Int64, lapsed: Int64, missing: Int64) {
            self.bonusDue(of: purchase, gone: gone, lots: name, isRefund: false, forgives: forgives, at: now)
        }
        let spare = (lots[paid].expiresAt ?? .distantFuture) > now ? lots[paid].remaining : 0
        var charged: Int64 = 0
        while charged < spare && bonusDue(gone + 1).missing > charged {
            charged += 1
            gone += 1
        }
        let bonus = bonusDue(gone)
        let kept = share(lots[paid], charged)
        lots[paid].remaining -= charged
        lots[paid].won -= kept
        let lapsed = takeBack(bonus.there + bonus.lapsed, of: name, isBonus: true, for: 0)
        debt += bonus.missing - charged
        revenue += kept - (won - unused.won)
        purchase.refundedAmount += won
        purchase.refundedCoins += coins
        purchase.refundedBonusCoins += bonus.there + bonus.lapsed + bonus.missing
        purchase.charged += charged
        let owed = unused.owed + lapsed.owed + bonus.missing - charged
        let earlier = (
            noted: purchase.owed - paidOff[name, default: 0] - owedAgain[name, default: 0], owed: owedNow[name] ?? 0
        )
        purchase.owed += owed
        owedNow[name, default: 0] += owed
        purchases[name] = purchase
        lastLoss = Loss(
            won: won, coins: coins, bonus: bonus.there + bonus.lapsed + bonus.missing, charged: charged,
            owed: [false: unused.owed, true: lapsed.owed + bonus.missing - charged], earlier: earlier)
        for place in lots.indices where lots[place].purchase == name {
            lastLoss?.lots[place] = (
                before[place].remaining - lots[place].remaining, before[place].expired - lots[place].expired,
                before[place].won - lots[place].won, before[place].breakage - lots[place].breakage
            )
        }
        payDebt(at: now)
        return true
    }

    /// What the wallet does not have of the coins, and what did not expire of them either, becomes debt.
    ///
    /// - Returns: the won that were still deferred, or recognised for expired coins; and what became debt.
    mutating func takeBack(
        _ coins: Int64, of name: String, isBonus: Bool, for won: Int64
    ) -> (won: Int64, owed: Int64) {
        guard let place = lots.firstIndex(where: { $0.purchase == name && $0.isBonus == isBonus }) else {
            return (0, 0)
        }
        let free = lots[place].remaining
        let taken = min(coins, free)
        var less: Int64 = 0
        if free > 0 {
            let mine = share(lots[place], free)
            less = taken == free ? mine : min(mine, won)
            lots[place].remaining -= taken
            lots[place].won -= less
        }
        let lapsed = min(coins - taken, lots[place].expired)
        let owed = coins - taken - lapsed
        debt += owed
        lots[place].expired -= lapsed
        let rest = max(0, won - less)
        let unearned = lots[place].expired == 0 ? lots[place].breakage : min(lots[place].breakage, rest)
        lots[place].breakage -= unearned
        return (less + unearned, owed)
    }

    /// How many bonus coins are due after so many paid ones went back in all: those in the wallet, those that expired, and
    /// those that are neither and are not forgiven.
    func bonusDue(
        of bought: Purchase, gone: Int64, lots name: String, isRefund: Bool, forgives: Bool, at now: Date
    ) -> (there: Int64, lapsed: Int64, missing: Int64) {
        guard bought.bonus > 0, let lot = lots.first(where: { $0.purchase == name && $0.isBonus }) else {
            return (0, 0, 0)
        }
        let pending = refunds.values.first { $0.purchase == name && $0.status == "pending" }
        let settled = bought.refundedBonusCoins + (pending.map { $0.bonus + $0.charged } ?? 0)
        let due = max(0, part(of: bought.bonus, min(gone, bought.coins), of: bought.coins) - settled)
        // A refund takes only what can be used, and leaves what expired alone.
        let isLate = isRefund && (lot.expiresAt ?? .distantFuture) <= now
        let there = min(due, isLate ? 0 : lot.remaining)
        let lapsed = min(due - there, lot.expired + (isLate ? lot.remaining : 0))
        let held = lot.held - (pending?.bonus ?? 0)
        let used = max(0, bought.bonus - settled - lot.remaining - lot.expired - held)
        return (there, lapsed, max(0, due - there - lapsed - (forgives ? used : 0)))
    }
}
