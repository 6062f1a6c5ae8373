package import Foundation

extension NaiveWallet {
    /// Coins are given away, in the order of use.
    ///
    /// - Parameters:
    ///   - ofPurchases: whether coins of purchases may be given, too.
    ///   - places: the lots whose coins may be given; nil: all.
    /// - Returns: what the other one gets; nil: there are fewer that may be given.
    package mutating func give(
        _ coins: Int64, ofPurchases: Bool = true, among places: Set<Int>? = nil, at now: Date
    ) -> [Lot]? {
        let giveable = usable(at: now).filter { place in
            let isGranted = lots[place].purchase == nil
            return debt == 0 && !lots[place].isVoided && !lots[place].isFixed && !wentBack(place)
                && (ofPurchases || isGranted) && places?.contains(place) ?? true
        }
        guard coins <= giveable.reduce(0, { $0 + lots[$1].remaining }) else { return nil }
        var missing = coins
        var given: [Lot] = []
        for place in giveable where missing > 0 {
            let taken = min(missing, lots[place].remaining)
            let won = share(lots[place], taken)
            lots[place].remaining -= taken
            lots[place].won -= won
            if let purchase = lots[place].purchase { purchases[purchase]?.isGiven = true }
            given.append(
                Lot(
                    isBonus: lots[place].isBonus, acquiredAt: now, expiresAt: lots[place].expiresAt, remaining: taken,
                    won: won))
            missing -= taken
        }
        return given
    }

    /// Whether money of the purchase of a lot went back.
    private func wentBack(_ place: Int) -> Bool {
        lots[place].purchase.map { purchases[$0]?.refundedAmount != 0 } ?? false
    }

    /// Coins are there that another one gave.
    package mutating func receive(_ given: [Lot], at now: Date) {
        lots += given
        payDebt(at: now)
    }

    /// All that another one has is here, after what is here.
    ///
    /// What is owed beside coins is not paid yet.
    package mutating func absorb(_ other: NaiveWallet) {
        let offset = lots.count
        func moved(_ uses: [Use]) -> [Use] {
            uses.map { Use(lot: $0.lot + offset, coins: $0.coins, won: $0.won) }
        }
        lots += other.lots
        for (name, hold) in other.holds {
            holds[name] = hold
            holds[name]?.parts = hold.parts.map { (lot: $0.lot + offset, coins: $0.coins) }
        }
        for (name, used) in other.uses { uses[name] = moved(used) }
        purchases.merge(other.purchases) { first, _ in first }
        for (name, refund) in other.refunds {
            refunds[name] = refund
            refunds[name]?.taken = moved(refund.taken)
        }
        debt += other.debt
        owedNow.merge(other.owedNow, uniquingKeysWith: +)
        paidOff.merge(other.paidOff, uniquingKeysWith: +)
        owedAgain.merge(other.owedAgain, uniquingKeysWith: +)
        isWrittenOff = isWrittenOff || other.isWrittenOff
        writtenOff += other.writtenOff
        granted += other.granted
        fees += other.fees
        bank += other.bank
        revenue += other.revenue
        earned.merge(other.earned, uniquingKeysWith: +)
        precondition(other.disputes.isEmpty, "disputes of merged users are not modelled")
    }

    /// Owed coins are paid out of those that can be used.
    package mutating func payOwed(at now: Date) { payDebt(at: now) }
}
