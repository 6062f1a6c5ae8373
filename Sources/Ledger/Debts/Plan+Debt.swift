extension Plan {
    /// Pays the user's debt with all coins that can be used, so that nobody has both.
    ///
    /// - Parameter returned: held coins that were just released. They pay even if their lot has expired meanwhile,
    ///   because it had not expired when they were held.
    mutating func payDebt(of user: UserID, returned: [Choice] = [], reference: String) {
        let debt = balance(of: user).debt
        guard debt > 0 else { return }
        let choices = choices(upTo: debt, of: user, orOf: returned)
        guard !choices.isEmpty else { return }
        let stripe = stripe(of: user)
        let (lots, uses) = using(choices) { lot, coins in lot.take(coins) }
        let paid = uses.coins(.paid)
        let bonus = uses.coins(.bonus)
        let entryID = post(
            .debtPayment, reference: reference, effectiveAt: recordedAt, in: stripe,
            walletLines(.debit, paid: paid, bonus: bonus, of: user)
                + [Line(account: open(.debt, of: user), side: .credit, amount: paid + bonus)]
                + recognition(of: uses.amount, in: stripe))
        change(lots, by: entryID)
    }

    private func choices(upTo most: Int64, of user: UserID, orOf returned: [Choice]) -> [Choice] {
        let late = returned.filter { lots[$0.lotID]?.isExpired(at: recordedAt) ?? false }
        let coins = Dictionary(uniqueKeysWithValues: late.map { ($0.lotID, $0.coins) })
        let sources = lots.ordered(lots.usable(by: user, at: recordedAt) + late.compactMap { lots[$0.lotID] })
        var missing = most
        return sources.compactMap { lot in
            let taken = min(missing, coins[lot.id] ?? lot.remaining)
            missing -= taken
            return taken > 0 ? Choice(lotID: lot.id, coins: taken) : nil
        }
    }
}
