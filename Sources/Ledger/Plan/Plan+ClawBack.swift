extension Plan {
    mutating func clawBack(_ command: ClawBack) -> Outcome {
        guard let purchase = purchase(of: command.payment), purchase.user == command.user else {
            return .refused(.noSuchPurchase)
        }
        let amount = min(command.cancelledAmount, purchase.amount) - purchase.refundedAmount
        guard amount > 0 else { return .clawedBack(unchanged(purchase)) }

        let taken = Taking(amount, from: purchase, lots: lots(of: purchase))
        postClawBack(taken, of: purchase)
        for lot in taken.lots { change(lot) }
        let reversed = purchase.reversed(by: amount)
        change(reversed)
        return .clawedBack(
            ClawedBack(
                purchase: reversed, coins: taken.paidCoins, bonusCoins: taken.bonusCoins,
                balance: balance(of: purchase.user), isRepeat: false))
    }

    private func unchanged(_ purchase: Purchase) -> ClawedBack {
        ClawedBack(
            purchase: purchase, coins: 0, bonusCoins: 0, balance: balance(of: purchase.user), isRepeat: true)
    }

    private mutating func postClawBack(_ taken: Taking, of purchase: Purchase) {
        let user = purchase.user
        let stripe = stripe(of: user)
        let debt = taken.debt
        var lines: [Line] = []
        func add(_ account: @autoclosure () -> AccountCode, _ side: Side, _ amount: Int64) {
            if amount > 0 { lines.append(Line(account: account(), side: side, amount: amount)) }
        }
        let paidWallet = open(.paid, of: user)
        add(paidWallet, .debit, taken.paidFromLot)
        if taken.bonusFromLot > 0 {
            let bonusWallet = open(.bonus, of: user)
            add(bonusWallet, .debit, taken.bonusFromLot)
        }
        if debt > 0 {
            let debtAccount = open(.debt, of: user)
            add(debtAccount, .debit, debt)
        }
        add(.system(.coinsIssued, stripe), .credit, taken.paidCoins)
        add(.system(.coinsPromotions, stripe), .credit, taken.bonusCoins)
        add(.system(.deferredRevenue, stripe), .debit, taken.deferred)
        add(.system(.revenue, stripe), taken.revenue > 0 ? .debit : .credit, abs(taken.revenue))
        add(.system(.gatewayReceivable, stripe), .credit, taken.amount)
        _ = post(
            .clawBack, reference: "purchase:\(purchase.id)", effectiveAt: recordedAt, in: stripe,
            reverses: purchase.journalEntryID, lines)
    }
}

/// What a cancellation of a purchase takes, and from where.
private struct Taking {
    /// Won that went back to the user.
    let amount: Int64
    /// Bought coins to take back: in proportion to all that was cancelled, rounded down until all of it is.
    let paidCoins: Int64
    /// Given coins to take back, likewise.
    let bonusCoins: Int64
    /// How many of the bought coins were still there.
    let paidFromLot: Int64
    /// How many of the given coins were still there.
    let bonusFromLot: Int64
    /// What of the amount was not yet recognised as revenue.
    let deferred: Int64
    /// The lots as they are afterwards.
    let lots: [Lot]

    /// Coins that were spent already and are owed now.
    var debt: Int64 { paidCoins - paidFromLot + bonusCoins - bonusFromLot }
    /// What of the amount was recognised as revenue and is not any more.
    ///
    /// Below zero by a rounding when the last coins go.
    var revenue: Int64 { amount - deferred }

    init(_ amount: Int64, from purchase: Purchase, lots: [Lot]) {
        let before = purchase.refundedAmount
        self.amount = amount
        paidCoins =
            purchase.share(of: purchase.coins, upTo: before + amount) - purchase.share(of: purchase.coins, upTo: before)
        bonusCoins =
            purchase.share(of: purchase.bonusCoins, upTo: before + amount)
            - purchase.share(of: purchase.bonusCoins, upTo: before)

        var left: [Lot] = []
        var fromLot: [Lot.Kind: Int64] = [:]
        var deferred: Int64 = 0
        for var lot in lots {
            let coins = min(lot.kind == .paid ? paidCoins : bonusCoins, lot.remaining)
            lot.remaining -= coins
            let won = lot.remaining == 0 ? lot.deferred : min(lot.deferred, lot.kind == .paid ? amount : 0)
            lot.deferred -= won
            fromLot[lot.kind, default: 0] += coins
            deferred += won
            left.append(lot)
        }
        paidFromLot = fromLot[.paid] ?? 0
        bonusFromLot = fromLot[.bonus] ?? 0
        self.deferred = deferred
        self.lots = left
    }
}

extension Purchase {
    /// The part of the coins that belongs to the first `amount` won of the purchase, rounded down.
    fileprivate func share(of coins: Int64, upTo amount: Int64) -> Int64 {
        let (high, low) = coins.multipliedFullWidth(by: amount)
        return self.amount.dividingFullWidth((high, low)).quotient
    }

    /// The purchase after so much more of it went back.
    fileprivate func reversed(by amount: Int64) -> Purchase {
        var purchase = self
        purchase.refundedAmount += amount
        purchase.status = purchase.refundedAmount == purchase.amount ? .refunded : .partiallyRefunded
        return purchase
    }
}
