import Foundation

extension NaiveWallet {
    /// Nobody owes and has usable coins; those that just came back pay too, should their lot's time be up.
    mutating func payDebt(with returned: [(lot: Int, coins: Int64)] = [], at now: Date) {
        for place in inOrder(lots.indices.filter { lots[$0].remaining > 0 }) where debt > 0 {
            let isUsable = (lots[place].expiresAt ?? .distantFuture) > now
            let there = isUsable ? lots[place].remaining : returned.first { $0.lot == place }?.coins ?? 0
            let coins = min(debt, there)
            let won = share(lots[place], coins)
            lots[place].remaining -= coins
            lots[place].won -= won
            revenue += won
            debt -= coins
        }
    }

    /// Coins that came back of a payment that had become debt go again, as many as were written off.
    mutating func reverseWriteOff(with returned: [(lot: Int, coins: Int64)]) {
        for (place, coins) in returned {
            guard let purchase = lots[place].purchase else { continue }
            let owed = (purchases[purchase]?.owed ?? 0) - paidOff[purchase, default: 0]
            let gone = min(coins, lots[place].remaining, owed - owedAgain[purchase, default: 0], writtenOff)
            let won = share(lots[place], gone)
            lots[place].remaining -= gone
            lots[place].won -= won
            revenue += won
            owedAgain[purchase, default: 0] += gone
            writtenOff -= gone
        }
    }

    /// Owed coins are paid in won, or written off; nil: all of them.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func reduceDebt(_ coins: Int64?, for won: Int64? = nil) -> String? {
        guard debt > 0, coins ?? debt <= debt else { return "exceedsDebt" }
        let coins = coins ?? debt
        if won == nil {
            writtenOff += coins
            isWrittenOff = true
        }
        debt -= coins
        revenue += won ?? 0
        bank += won ?? 0
        return nil
    }

    /// Coins of a debt that was paid whole, in coins or won, are the user's if they come back.
    mutating func endDebt() {
        if !isWrittenOff { paidOff.merge(owedNow, uniquingKeysWith: +) }
        (owedNow, isWrittenOff) = ([:], false)
    }
}
