// Taking coins from lots, for all acts on a wallet.

extension Plan {
    /// Coins of one lot for an act to use.
    struct Choice {
        let lotID: Int64
        let coins: Int64

        init(lotID: Int64, coins: Int64) {
            self.lotID = lotID
            self.coins = coins
        }

        /// The coins that an act used, which came back.
        init(_ use: LotUse) { self.init(lotID: use.lotID, coins: use.coins) }
    }

    /// What an act takes of a user's lots.
    enum Chosen {
        case coins([Choice])
        case refused(Refusal)
    }

    /// Chooses coins from the user's lots in the ledger's order, out of no more lots than an act may change.
    mutating func choose(_ coins: Int64, of user: UserID) -> Chosen {
        guard !isInDebt(user) else { return .refused(.insufficientCoins(required: coins, available: 0)) }
        let usable = lots.usable(by: user, at: recordedAt)
        if let choices = choose(coins, outOf: usable) {
            let parts = choices.map(\.coins)
            return isTooMany(parts) ? .refused(tooManyLots(parts, for: coins)) : .coins(choices)
        }
        lots.didNotSuffice(for: user)
        guard lots.mayHaveMore(user) else {
            return .refused(.insufficientCoins(required: coins, available: usable.reduce(0) { $0 + $1.remaining }))
        }
        // More lots than an act may change were read, and do not suffice: the wallet tells whether all of them would.
        let wallet = balance(of: user).available
        guard coins <= wallet else { return .refused(.insufficientCoins(required: coins, available: wallet)) }
        return .refused(tooManyLots(usable.map(\.remaining), for: coins))
    }

    /// Whether an act that moves these coins of each lot must be done in parts.
    func isTooMany(_ parts: [Int64]) -> Bool { parts.count > lotLimits.act }

    /// The refusal of an act that must be done in parts.
    ///
    /// - Parameter parts: the coins of each lot, in the order in which an act of fewer coins would take them.
    func tooManyLots(_ parts: [Int64], for coins: Int64) -> Refusal {
        .tooManyLots(
            required: coins, available: parts.prefix(lotLimits.act).reduce(0, +), limit: Int64(lotLimits.act))
    }

    private func isInDebt(_ user: UserID) -> Bool { balance(of: user).debt > 0 }

    func choose(_ coins: Int64, outOf lots: [Lot]) -> [Choice]? {
        var choices: [Choice] = []
        var missing = coins
        for lot in lots where missing > 0 {
            let taken = min(missing, lot.remaining)
            choices.append(Choice(lotID: lot.id, coins: taken))
            missing -= taken
        }
        return missing == 0 ? choices : nil
    }

    /// Applies `act` to each chosen lot.
    ///
    /// - Parameter act: changes the lot and returns the won that it recognised.
    func using(
        _ choices: [Choice], _ act: (inout Lot, Int64) -> Int64
    ) -> (lots: [Lot], uses: [LotUse]) {
        var lots: [Lot] = []
        var uses: [LotUse] = []
        for choice in choices {
            guard var lot = self.lots[choice.lotID] else { preconditionFailure("a chosen lot was not loaded") }
            let amount = act(&lot, choice.coins)
            lots.append(lot)
            uses.append(LotUse(lotID: lot.id, kind: lot.kind, coins: choice.coins, amount: amount))
        }
        return (lots, uses)
    }

    /// Lines of the user's wallet accounts.
    mutating func walletLines(_ side: Side, paid: Int64, bonus: Int64, of user: UserID) -> [Line] {
        lines(side, paid: (.paid, paid), bonus: (.bonus, bonus), of: user)
    }

    /// Lines of the user's accounts of held coins.
    mutating func heldLines(_ side: Side, paid: Int64, bonus: Int64, of user: UserID) -> [Line] {
        lines(side, paid: (.heldPaid, paid), bonus: (.heldBonus, bonus), of: user)
    }

    private mutating func lines(
        _ side: Side, paid: (UserAccount, Int64), bonus: (UserAccount, Int64), of user: UserID
    ) -> [Line] {
        var lines: [Line] = []
        for (account, coins) in [bonus, paid] where coins > 0 {
            lines.append(Line(account: open(account, of: user), side: side, amount: coins))
        }
        return lines
    }

    /// `Dr coins:deferred-revenue / Cr revenue`, for revenue recognised from lots.
    ///
    /// - Parameter vat: the output VAT that arises from it. The revenue is less by it.
    func recognition(of amount: Int64, _ vat: OutputVAT, in stripe: Stripe) -> [Line] {
        [
            Line(account: .system(.deferredRevenue, stripe), side: .debit, amount: amount),
            Line(account: .system(.revenue, stripe), side: .credit, amount: amount - vat.recognised),
        ] + lines(of: vat, in: stripe)
    }

    /// `Dr coins:deferred-revenue / Cr revenue:breakage`, for coins that expire.
    ///
    /// - Parameter vat: the output VAT that arises from it. The breakage is less by it.
    func breakage(of amount: Int64, _ vat: OutputVAT, in stripe: Stripe) -> [Line] {
        [
            Line(account: .system(.deferredRevenue, stripe), side: .debit, amount: amount),
            breakageLine(of: amount, vat, in: stripe),
        ] + taxLines(of: vat, in: stripe)
    }
}
