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

    /// Chooses coins from the user's lots in the ledger's order.
    ///
    /// - Returns: nil when the user has fewer coins.
    mutating func choose(_ coins: Int64, of user: UserID) -> [Choice]? {
        guard !isInDebt(user) else { return nil }
        let choices = choose(coins, outOf: lots.usable(by: user, at: recordedAt))
        if choices == nil { lots.didNotSuffice(for: user) }
        return choices
    }

    /// The coins that the user can use now.
    func available(to user: UserID) -> Int64 {
        isInDebt(user) ? 0 : lots.usable(by: user, at: recordedAt).reduce(0) { $0 + $1.remaining }
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
