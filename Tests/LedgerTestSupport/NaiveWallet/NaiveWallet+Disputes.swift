package import Foundation

extension NaiveWallet {
    /// The gateway shows a dispute of a payment.
    ///
    /// - Returns: whether that is news; nil: there is no such payment.
    package mutating func dispute(
        _ name: String, _ beginning: Date, isResolved: Bool, freezes: Bool, at now: Date
    ) -> Bool? {
        guard purchases[name] != nil else { return nil }
        let before = disputes[name]?[beginning]
        if before == nil { disputes[name, default: [:]][beginning] = "open" }
        let isOpen = before ?? "open" == "open"
        if isOpen, isResolved { disputes[name]?[beginning] = "won" }
        let contradictsBooking = before == "lost" && booked[name]?.keys.contains(beginning) == true
        // A loss that a person booked is contradicted once.
        let isContradicted =
            isResolved && (isOpen || contradictsBooking)
            && resolved[name, default: []].insert(beginning).inserted && contradictsBooking
        let isSettled = settle(name, freezes: freezes, at: now)
        return isSettled || isContradicted || disputes[name]?[beginning] != before
    }

    /// A person says how a dispute ended.
    ///
    /// - Returns: the refusal's name, nil when it was done.
    package mutating func decide(
        _ name: String, _ beginning: Date, isWon: Bool, forgives: Bool, grace: Double = 0, at now: Date
    ) -> String? {
        guard let purchase = purchases[name], let before = disputes[name]?[beginning] else { return "noSuchDispute" }
        if isWon, before == "lost", let loss = booked[name]?[beginning] {
            return winBack(name, beginning, loss, grace: grace, at: now)
        }
        guard before == "open" || before == "won" && !isWon else { return "disputeDecided" }
        let isRefunding = refunds.values.contains {
            $0.purchase == name && ["pending", "approved"].contains($0.status)
        }
        guard isWon || !isRefunding else { return "refundInProgress" }
        let isFrozen = isFrozen(name)
        if !isWon {
            let isTaken = takeBack(name, cancelled: purchase.amount, forgives: forgives, at: now)
            booked[name, default: [:]].updateValue(isTaken ? lastLoss : nil, forKey: beginning)
        }
        disputes[name]?[beginning] = isWon ? "won" : "lost"
        settle(name, freezes: isFrozen, at: now)
        return nil
    }

    /// What a dispute took comes back: it was booked as lost, and is won after all.
    private mutating func winBack(
        _ name: String, _ beginning: Date, _ loss: Loss?, grace: Double, at now: Date
    ) -> String? {
        if let loss {
            guard booked[name]?.count == 1 else { return "disputeNotReversible" }
            let isFrozen = isFrozen(name)
            guard giveBack(loss, of: name, grace: grace, at: now) else { return "disputeNotReversible" }
            booked[name]?[beginning] = nil
            disputes[name]?[beginning] = "won"
            settle(name, freezes: isFrozen, at: now)
            return nil
        }
        booked[name]?.removeValue(forKey: beginning)
        disputes[name]?[beginning] = "won"
        settle(name, freezes: false, at: now)
        return nil
    }

    /// What is still owed, or was written off, is owed no more.
    ///
    /// What was paid comes back as coins of the payment, paid ones first, for the won that the loss took out of revenue.
    mutating func giveBack(_ loss: Loss, of name: String, grace: Double, at now: Date) -> Bool {
        guard var purchase = purchases[name] else { return false }
        let owed = (bought: loss.owed[false] ?? 0, given: loss.owed[true] ?? 0)
        let open = min(owed.bought + owed.given, debt)
        let noted = purchase.owed - paidOff[name, default: 0] - owedAgain[name, default: 0]
        let off = max(0, min(owed.bought + owed.given - open, noted - open, writtenOff))
        let paid = owed.bought + owed.given - open - off
        let back = [false: min(paid, owed.bought), true: paid - min(paid, owed.bought)]
        let own = lots.indices.filter { lots[$0].purchase == name }
        func coins(_ place: Int) -> Int64 {
            (loss.lots[place].map { $0.remaining + $0.lapsed } ?? 0) + (back[lots[place].isBonus] ?? 0)
        }
        for place in own {
            let all = lots[place].isBonus ? purchase.bonus : purchase.coins
            guard coins(place) + lots[place].remaining + lots[place].held + lots[place].expired <= all else {
                return false
            }
        }

        var usable: [(lot: Int, coins: Int64)] = []
        var revenueBack = loss.won
        for place in own where coins(place) > 0 {
            let gone = loss.lots[place] ?? (0, 0, 0, 0)
            let used = loss.won - gone.won - gone.breakage
            var won = gone.won + gone.breakage
            if !lots[place].isBonus, used > 0, let bought = back[false], bought > 0 {
                won += max(
                    0,
                    min(
                        part(of: used, bought, of: owed.bought), part(of: purchase.amount, bought, of: purchase.coins),
                        purchase.amount - lots[place].won - lots[place].breakage - won))
            }
            revenueBack -= won
            usable.append((place, coins(place) - gone.lapsed))
            lots[place].remaining += coins(place)
            lots[place].won += won
            if grace > 0, coins(place) > gone.lapsed, let end = lots[place].expiresAt, end <= now {
                lots[place].expiresAt = now.addingTimeInterval(grace)
            }
        }
        revenue += revenueBack
        purchase.refundedAmount -= loss.won
        purchase.refundedCoins -= loss.coins
        purchase.refundedBonusCoins -= loss.bonus
        purchase.charged -= loss.charged
        purchase.returned += usable.reduce(0) { $0 + $1.coins }
        purchases[name] = purchase
        writtenOff -= off
        if open + off > 0 {
            // What earlier losses of the payment made a debt of stays.
            paidOff[name] = purchase.owed - (owedAgain[name] ?? 0) - min(noted - off, loss.earlier.noted)
            owedNow[name] = min(owedNow[name] ?? 0, loss.earlier.owed)
        }
        debt -= open
        for place in own {
            let gone = loss.lots[place] ?? (0, 0, 0, 0)
            guard gone.lapsed > 0 else { continue }
            expire(gone.lapsed, at: place, worth: lots[place].isBonus ? nil : gone.breakage)
        }
        payDebt(with: usable, at: now)
        return true
    }

    func isFrozen(_ name: String) -> Bool { frozen.keys.contains { lots[$0].purchase == name } }

    /// Disputes of a payment of which the gateway cancelled the last won are lost; the coins of a payment with an open
    /// one can be frozen.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    mutating func settle(_ name: String, freezes: Bool, at now: Date) -> Bool {
        guard let purchase = purchases[name] else { return false }
        var open = (disputes[name] ?? [:]).filter { $0.value == "open" }
        let isLost =
            purchase.refundedAmount == purchase.amount && purchase.refundedAmount > purchase.transferred
            && !open.isEmpty
        if isLost {
            for beginning in open.keys { disputes[name]?[beginning] = "lost" }
            open = [:]
        }
        if !open.isEmpty { return (freezes && freeze(name, at: now)) || isLost }
        let returned = unfreeze(name)
        payDebt(with: returned, at: now)
        return isLost || !returned.isEmpty
    }

    private mutating func freeze(_ name: String, at now: Date) -> Bool {
        let places = lots.indices.filter {
            lots[$0].purchase == name && lots[$0].remaining > 0 && (lots[$0].expiresAt ?? .distantFuture) > now
        }
        for place in places {
            frozen[place, default: 0] += lots[place].remaining
            lots[place].held += lots[place].remaining
            lots[place].remaining = 0
        }
        return !places.isEmpty
    }

    mutating func unfreeze(_ name: String) -> [(lot: Int, coins: Int64)] {
        let returned = frozen.filter { lots[$0.key].purchase == name }.map { (lot: $0.key, coins: $0.value) }
        for (place, coins) in returned {
            frozen[place] = nil
            lots[place].held -= coins
            lots[place].remaining += coins
        }
        return returned
    }
}
