package import Foundation

extension NaiveWallet {
    /// Coins are set aside.
    ///
    /// - Returns: whether there were enough.
    package mutating func hold(_ name: String, _ coins: Int64, until end: Date, at now: Date) -> Bool {
        guard coins <= available(at: now) else { return false }
        let parts = choose(coins, at: now)
        for (place, coins) in parts {
            lots[place].remaining -= coins
            lots[place].held += coins
        }
        holds[name] = Hold(parts: parts, expiresAt: end)
        return true
    }

    /// Coins that were set aside are taken; nil: all of them.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func capture(
        _ name: String, _ coins: Int64?, for provider: String?, isFinal: Bool, as capture: String? = nil, at now: Date
    ) -> String? {
        guard var hold = holds[name] else { return "noSuchHold" }
        guard hold.status == "open" else { return "holdClosed" }
        guard hold.expiresAt > now else { return "holdExpired" }
        let coins = coins ?? hold.left
        guard coins <= hold.left else { return "exceedsHold" }
        var missing = coins
        var used: [Use] = []
        for index in hold.parts.indices {
            let taken = min(missing, hold.parts[index].coins)
            let place = hold.parts[index].lot
            let won = share(lots[place], taken)
            lots[place].held -= taken
            lots[place].won -= won
            revenue += won
            hold.parts[index].coins -= taken
            missing -= taken
            if taken > 0 { used.append(Use(lot: place, coins: taken, won: won)) }
        }
        if let capture { uses[capture] = used }
        hold.captured += coins
        if let provider { earned[provider, default: 0] += coins }
        if hold.left == 0 { hold.status = "captured" }
        holds[name] = hold
        if isFinal && hold.left > 0 { giveBack(name, "captured", at: now) }
        return nil
    }

    /// Coins that were set aside are given back.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func void(_ name: String, at now: Date) -> String? {
        guard let hold = holds[name] else { return "noSuchHold" }
        guard hold.status == "open" else { return "holdClosed" }
        giveBack(name, "voided", at: now)
        return nil
    }

    /// A hold ends if its time is up.
    package mutating func expireHold(_ name: String, at now: Date) {
        if let hold = holds[name], hold.status == "open", hold.expiresAt <= now { giveBack(name, "expired", at: now) }
    }

    mutating func giveBack(_ name: String, _ status: String, at now: Date) {
        guard var hold = holds[name] else { return }
        let parts = hold.parts
        for index in hold.parts.indices {
            lots[hold.parts[index].lot].remaining += hold.parts[index].coins
            lots[hold.parts[index].lot].held -= hold.parts[index].coins
            hold.released += hold.parts[index].coins
            hold.parts[index].coins = 0
        }
        hold.status = status
        holds[name] = hold
        payDebt(with: parts, at: now)
        reverseWriteOff(with: parts)
    }
}
