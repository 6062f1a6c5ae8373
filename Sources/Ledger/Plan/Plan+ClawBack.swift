extension Plan {
    mutating func clawBack(_ command: ClawBack) -> Answer {
        guard let purchase = purchase(of: command.payment), purchase.user == command.user else {
            return Answer(.refused(.noSuchPurchase))
        }
        // What our own pending refund has the gateway cancel is that refund's to book, whichever is heard of first.
        let pending = refunds.pending(of: purchase)
        let amount =
            min(command.cancelledAmount, purchase.amount) - purchase.refundedAmount - (pending?.amount ?? 0)
        guard amount > 0 else { return Answer(.clawedBack(unchanged(purchase)), isRepeat: true) }

        let taken = Taking(amount, from: purchase, beside: pending, lots: lots(of: purchase))
        let entryID = postClawBack(taken, of: purchase)
        for lot in taken.lots { change(lot, by: entryID) }
        let reversed = purchase.reversed(by: amount, coins: taken.paidCoins, bonusCoins: taken.bonusCoins)
        change(reversed)
        return Answer(
            .clawedBack(
                ClawedBack(
                    purchase: reversed, coins: taken.paidCoins, bonusCoins: taken.bonusCoins,
                    balance: balance(of: purchase.user))))
    }

    private func unchanged(_ purchase: Purchase) -> ClawedBack {
        ClawedBack(purchase: purchase, coins: 0, bonusCoins: 0, balance: balance(of: purchase.user))
    }

    private mutating func postClawBack(_ taken: Taking, of purchase: Purchase) -> Int64 {
        let user = purchase.user
        let stripe = stripe(of: user)
        var lines = walletLines(.debit, paid: taken.paidFromLot, bonus: taken.bonusFromLot, of: user)
        if taken.debt > 0 { lines.append(Line(account: open(.debt, of: user), side: .debit, amount: taken.debt)) }
        lines += [
            Line(account: .system(.coinsExpired, stripe), side: .debit, amount: taken.expired),
            Line(account: .system(.coinsIssued, stripe), side: .credit, amount: taken.paidCoins),
            Line(account: .system(.coinsPromotions, stripe), side: .credit, amount: taken.bonusCoins),
            Line(account: .system(.deferredRevenue, stripe), side: .debit, amount: taken.deferred),
            Line(account: .system(.breakage, stripe), side: .debit, amount: taken.breakage),
            Line(
                account: .system(.revenue, stripe), side: taken.revenue > 0 ? .debit : .credit,
                amount: abs(taken.revenue)),
            Line(account: .system(.gatewayReceivable, stripe), side: .credit, amount: taken.amount),
        ]
        return post(
            .clawBack, reference: "purchase:\(purchase.id)", effectiveAt: recordedAt, in: stripe,
            reverses: purchase.journalEntryID, lines)
    }
}

/// What a cancellation of a purchase takes, and from where.
private struct Taking {
    /// Won that went back to the user.
    let amount: Int64
    /// Bought coins to take back: in proportion to all that was cancelled, rounded down until all of it is, less those
    /// that were taken back before.
    ///
    /// A refund that kept a fee took more coins than its money's part.
    let paidCoins: Int64
    /// Given coins to take back, likewise.
    let bonusCoins: Int64
    /// How many of the bought coins were still there.
    let paidFromLot: Int64
    /// How many of the given coins were still there.
    let bonusFromLot: Int64
    /// How many had expired unused.
    let expired: Int64
    /// What of the amount was not yet recognised as revenue.
    let deferred: Int64
    /// What of the amount was recognised for coins that expired, and is not any more.
    let breakage: Int64
    /// The lots that it takes from, as they are afterwards.
    let lots: [Lot]

    /// Coins that were spent already and are owed now.
    var debt: Int64 { paidCoins - paidFromLot + bonusCoins - bonusFromLot - expired }
    /// What of the amount was recognised for coins that were used, and is not any more.
    ///
    /// Below zero by a rounding when the last coins go.
    var revenue: Int64 { amount - deferred - breakage }

    init(_ amount: Int64, from purchase: Purchase, beside pending: Refund?, lots: [Lot]) {
        let before = purchase.refundedAmount
        self.amount = amount
        paidCoins = Self.due(
            of: purchase.coins, before: purchase.refundedCoins, setAside: pending?.coins ?? 0,
            part: (before, before + amount), of: purchase.amount)
        bonusCoins = Self.due(
            of: purchase.bonusCoins, before: purchase.refundedBonusCoins, setAside: pending?.bonusCoins ?? 0,
            part: (before, before + amount), of: purchase.amount)

        var changed: [Lot] = []
        var fromLot: [LotKind: Int64] = [:]
        var (expired, deferred, breakage): (Int64, Int64, Int64) = (0, 0, 0)
        for before in lots where before.remaining + before.expired > 0 {
            var lot = before
            lot.takeBack(lot.kind == .paid ? paidCoins : bonusCoins, for: lot.kind == .paid ? amount : 0)
            fromLot[lot.kind, default: 0] += before.remaining - lot.remaining
            expired += before.expired - lot.expired
            deferred += before.deferred - lot.deferred
            breakage += before.breakage - lot.breakage
            changed.append(lot)
        }
        paidFromLot = fromLot[.paid] ?? 0
        bonusFromLot = fromLot[.bonus] ?? 0
        self.expired = expired
        self.deferred = deferred
        self.breakage = breakage
        self.lots = changed
    }

    /// The coins that go back as the part of the payment that went back grows, of which some may have gone before,
    /// and of which those set aside for a refund stay its own.
    ///
    /// Given coins that a refund spared, because they were spent, are not asked for later either.
    private static func due(
        of coins: Int64, before taken: Int64, setAside: Int64, part: (before: Int64, now: Int64), of whole: Int64
    ) -> Int64 {
        let due = coins.share(part.now, of: whole) - max(taken, coins.share(part.before, of: whole))
        return max(0, min(due, coins - taken - setAside))
    }
}

extension Lot {
    /// Takes coins back because so much of what was paid for them went back: first out of the wallet, then of those
    /// that expired, as far as there are any.
    ///
    /// What is deferred for the wallet's coins, and then what was recognised for expired ones, goes with the money, not
    /// with the coins, which are rounded down; the last coins take all there is. The won of coins that are set aside
    /// stay with those.
    fileprivate mutating func takeBack(_ coins: Int64, for amount: Int64) {
        let deferredInWallet = won(of: remaining)
        let fromWallet = min(coins, remaining)
        remaining -= fromWallet
        let won = remaining == 0 ? deferredInWallet : min(deferredInWallet, amount)
        deferred -= won
        expired -= min(coins - fromWallet, expired)
        breakage -= expired == 0 ? breakage : min(breakage, max(0, amount - won))
    }
}
