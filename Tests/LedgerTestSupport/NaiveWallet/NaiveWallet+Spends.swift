package import Foundation

extension NaiveWallet {
    /// Coins are used up.
    ///
    /// - Returns: whether there were enough.
    package mutating func spend(_ coins: Int64, as name: String? = nil, at now: Date) -> Bool {
        guard coins <= available(at: now) else { return false }
        var used: [Use] = []
        for (place, coins) in choose(coins, at: now) {
            let won = share(lots[place], coins)
            lots[place].remaining -= coins
            lots[place].won -= won
            revenue += won
            used.append(Use(lot: place, coins: coins, won: won))
        }
        if let name { uses[name] = used }
        return true
    }

    /// Coins of a spend or capture come back, the last ones used first; nil: all that did not come back yet.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func reverse(
        _ name: String, _ coins: Int64?, from provider: String? = nil, grace: Double = 0, at now: Date
    ) -> String? {
        guard var used = uses[name] else { return "noSuchRedemption" }
        let left = used.reduce(0) { $0 + $1.coins }
        guard left > 0 else { return "alreadyReversed" }
        guard coins ?? left <= left else { return "exceedsRedemption" }
        var asked = coins ?? left
        for use in used.reversed() where asked > 0 {
            let back = min(asked, use.coins)
            guard hasPlace(for: back, in: use.lot) else { return "noPlaceForCoins" }
            asked -= back
        }
        var missing = coins ?? left
        var returned: [(lot: Int, coins: Int64)] = []
        while missing > 0, let use = used.popLast() {
            let back = min(missing, use.coins)
            let won = part(of: use.won, back, of: use.coins)
            if back < use.coins { used.append(Use(lot: use.lot, coins: use.coins - back, won: use.won - won)) }
            missing -= back
            lots[use.lot].remaining += back
            lots[use.lot].won += won
            revenue -= won
            if let purchase = lots[use.lot].purchase { purchases[purchase]?.returned += back }
            if lots[use.lot].isVoided {
                void(back, at: use.lot)
                continue
            }
            if grace > 0, let end = lots[use.lot].expiresAt, end <= now {
                lots[use.lot].expiresAt = now.addingTimeInterval(grace)
            }
            returned.append((use.lot, back))
        }
        uses[name] = used
        if let provider { earned[provider, default: 0] -= coins ?? left }
        payDebt(with: returned, at: now)
        reverseWriteOff(with: returned)
        return nil
    }

    /// Whether a lot of a purchase has no more coins than were sold when so many come back.
    func hasPlace(for coins: Int64, in place: Int) -> Bool {
        let lot = lots[place]
        guard let purchase = lot.purchase.flatMap({ purchases[$0] }) else { return true }
        return lot.remaining + lot.held + lot.expired + coins <= (lot.isBonus ? purchase.bonus : purchase.coins)
    }

    func choose(_ coins: Int64, at now: Date) -> [(lot: Int, coins: Int64)] {
        var missing = coins
        return usable(at: now).compactMap { place in
            let taken = min(missing, lots[place].remaining)
            missing -= taken
            return taken > 0 ? (place, taken) : nil
        }
    }
}
