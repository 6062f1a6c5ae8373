package import Foundation

extension NaiveWallet {
    /// How many expired coins of a lot its purchase has money for, beside unused ones.
    private func lapsedRefundable(_ lot: Lot, of bought: Purchase, beside unused: Int64) -> Int64 {
        var coins = max(0, min(lot.expired, bought.coins - bought.refundedCoins - bought.charged - unused))
        while coins > 0 && share(lot, unused) + lapsed(lot, coins) > bought.amount - bought.refundedAmount {
            coins -= 1
        }
        return coins
    }

    /// How many remaining coins of a lot its purchase has money for.
    private func refundable(_ lot: Lot, of bought: Purchase) -> Int64 {
        var coins = max(0, min(lot.remaining, bought.coins - bought.refundedCoins - bought.charged))
        while coins > 0 && share(lot, coins) > bought.amount - bought.refundedAmount { coins -= 1 }
        return coins
    }

    /// Unused coins of a purchase, and then expired ones if they are paid for, are set aside to be given back; nil: all
    /// of them.
    ///
    /// - Parameter lapsedPercent: what the payer gets for expired coins; nil: they are not given back.
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func beginRefund(
        _ name: String, of purchase: String, _ asked: Int64?, feePercent: Int64, forgives: Bool = false,
        byTransfer: Bool = false, lapsedPercent: Int64? = nil, at now: Date
    ) -> String? {
        guard let bought = purchases[purchase] else { return "noSuchPurchase" }
        guard !refunds.values.contains(where: { $0.purchase == purchase && $0.status == "pending" }) else {
            return "refundInProgress"
        }
        guard debt == 0 else { return "userInDebt" }
        guard let paid = lots.firstIndex(where: { $0.purchase == purchase && !$0.isBonus }) else {
            return "nothingToRefund"
        }
        var lot = lots[paid]
        let isLate = (lot.expiresAt ?? .distantFuture) <= now
        let unused = isLate ? 0 : refundable(lot, of: bought)
        if isLate { expire(lot.remaining, of: &lot) }
        let all = unused + (lapsedPercent == nil ? 0 : lapsedRefundable(lot, of: bought, beside: unused))
        let coins = asked ?? all
        if all > 0 && coins > all { return "exceedsRefundable" }
        guard coins <= all else { return "nothingToRefund" }
        let lapsed = max(0, coins - unused)
        var taken = lot
        let lapsedWon = comeBack(lapsed, of: &taken)
        let isLast = share(lot, coins - lapsed) + lapsedWon == bought.amount - bought.refundedAmount
        let gone = isLast ? bought.coins : bought.refundedCoins + bought.charged + coins
        let rest = bonusDue(of: bought, gone: gone, lots: purchase, isRefund: true, forgives: forgives, at: now)
        let charged = min(coins, rest.missing)
        let paidFor = max(0, coins - lapsed - charged)
        let lapsedValue = lapsed > 0 ? part(of: lapsedWon, coins - charged - paidFor, of: lapsed) : 0
        let value = share(lot, paidFor) + lapsedValue
        guard value > 0 else { return "nothingToRefund" }
        let bonus = rest.there
        refunds[name] = Refund(
            purchase: purchase, coins: coins, bonus: bonus, charged: charged, value: value,
            fee: part(of: value - lapsedValue, feePercent, of: 100)
                + part(of: lapsedValue, 100 - (lapsedPercent ?? 100), of: 100), lapsed: lapsed,
            lapsedWon: lapsedWon, lapsedCharged: lapsedWon - lapsedValue)
        if lapsed > 0 { lots[paid] = taken }
        setAside(coins, bonus, of: purchase)
        if byTransfer {
            refunds[name].map { takeSetAside(name, $0) }
            refunds[name]?.status = "approved"
            purchases[purchase]?.transferred += value - (refunds[name]?.fee ?? 0)
        }
        return nil
    }

    /// An approved refund is paid.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func payRefund(_ name: String) -> String? {
        guard let refund = refunds[name] else { return "noSuchRefund" }
        guard refund.status == "approved" else { return "refundNotApproved" }
        refunds[name]?.status = "completed"
        refunds[name]?.isPaid = true
        bank -= refund.amount
        return nil
    }

    /// A paid refund is paid back.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func repayRefund(_ name: String, grace: Double, at now: Date) -> String? {
        guard let refund = refunds[name] else { return "noSuchRefund" }
        guard refund.isPaid, refund.status == "completed" else { return "refundNotPaid" }
        guard booked[refund.purchase, default: [:]].isEmpty else { return "disputeDecided" }
        guard refund.taken.allSatisfy({ hasPlace(for: $0.coins, in: $0.lot) }) else { return "noPlaceForCoins" }
        bank += refund.amount
        refunds[name]?.status = "approved"
        return reverseRefund(name, grace: grace, at: now)
    }

    /// An approved refund is taken back.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func reverseRefund(_ name: String, grace: Double, at now: Date) -> String? {
        guard let refund = refunds[name] else { return "noSuchRefund" }
        guard refund.status == "approved", var bought = purchases[refund.purchase] else { return "refundNotApproved" }
        guard refund.taken.allSatisfy({ hasPlace(for: $0.coins, in: $0.lot) }) else { return "noPlaceForCoins" }
        refunds[name]?.status = "reversed"
        for use in refund.taken {
            lots[use.lot].remaining += use.coins
            lots[use.lot].won += use.won
            bought.returned += use.coins
            let isLapsed = !lots[use.lot].isBonus && refund.lapsed == refund.coins
            if grace > 0, !isLapsed, let end = lots[use.lot].expiresAt, end <= now {
                lots[use.lot].expiresAt = now.addingTimeInterval(grace)
            }
        }
        revenue -= refund.taken.reduce(0) { $0 + $1.won } - refund.value
        fees -= refund.fee
        bought.refundedAmount -= refund.amount
        bought.transferred -= refund.amount
        bought.refundedCoins -= refund.coins - refund.charged
        bought.refundedBonusCoins -= refund.bonus + refund.charged
        bought.charged -= refund.charged
        purchases[refund.purchase] = bought
        payDebt(with: expireAgain(refund), at: now)
        return nil
    }

    /// The gateway gave the money back.
    package mutating func completeRefund(_ name: String, at now: Date = .distantPast) {
        guard let refund = refunds[name], refund.status == "pending" else { return }
        takeSetAside(name, refund)
        settle(refund.purchase, freezes: false, at: now)
    }

    /// The coins that a refund set aside are gone.
    private mutating func takeSetAside(_ name: String, _ begun: Refund) {
        var refund = begun
        refund.status = "completed"
        refunds[name] = refund
        var less: Int64 = 0
        for place in lots.indices where lots[place].purchase == refund.purchase {
            if lots[place].isBonus {
                lots[place].held -= refund.bonus
                if refund.bonus > 0 { refund.taken.append(Use(lot: place, coins: refund.bonus, won: 0)) }
                continue
            }
            var others = lots[place]
            others.won = max(0, others.won - refund.lapsedWon)
            others.held -= refund.lapsed
            let charged = min(refund.charged, refund.coins - refund.lapsed)
            let kept = min(lots[place].won, share(others, charged) + refund.lapsedCharged)
            lots[place].held -= refund.coins
            lots[place].won -= kept
            let back =
                lots[place].remaining + lots[place].held == 0 ? lots[place].won : min(lots[place].won, refund.value)
            lots[place].won -= back
            less = kept + back
            refund.taken.append(Use(lot: place, coins: refund.coins, won: less))
        }
        refunds[name] = refund
        revenue += less - refund.value
        fees += refund.fee
        purchases[refund.purchase]?.refundedAmount += refund.value - refund.fee
        purchases[refund.purchase]?.refundedCoins += refund.coins - refund.charged
        purchases[refund.purchase]?.refundedBonusCoins += refund.bonus + refund.charged
        purchases[refund.purchase]?.charged += refund.charged
    }

    /// The gateway refused.
    package mutating func releaseRefund(_ name: String, at now: Date) {
        guard let refund = refunds[name], refund.status == "pending" else { return }
        refunds[name]?.status = "refused"
        setAside(-refund.coins, -refund.bonus, of: refund.purchase)
        payDebt(with: expireAgain(refund), at: now)
    }

    /// Of the coins that a refund gave back, those that had expired expire again.
    ///
    /// - Returns: the others.
    private mutating func expireAgain(_ refund: Refund) -> [(lot: Int, coins: Int64)] {
        let own = lots.indices.filter { lots[$0].purchase == refund.purchase }
        if let paid = own.first(where: { !lots[$0].isBonus }) {
            expire(refund.lapsed, at: paid, worth: refund.lapsedWon)
        }
        return own.map { place in
            (lot: place, coins: lots[place].isBonus ? refund.bonus : refund.coins - refund.lapsed)
        }
    }

    private mutating func setAside(_ coins: Int64, _ bonus: Int64, of purchase: String) {
        for place in lots.indices where lots[place].purchase == purchase {
            lots[place].remaining -= lots[place].isBonus ? bonus : coins
            lots[place].held += lots[place].isBonus ? bonus : coins
        }
    }
}
