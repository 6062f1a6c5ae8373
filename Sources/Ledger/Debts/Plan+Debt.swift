import Postgres

extension Plan {
    /// Pays the user's debt with all coins that can be used, so that nobody has both.
    ///
    /// It takes coins of no more lots than an act may change. ``PayDebt`` pays with the others, if there are any.
    ///
    /// - Parameter returned: held coins that were just released. They pay even if their lot has expired meanwhile,
    ///   because it had not expired when they were held.
    mutating func payDebt(of user: UserID, returned: [Choice] = [], reference: String) {
        let debt = balance(of: user).debt
        guard debt > 0 else { return }
        payDebt(of: user, with: choices(upTo: debt, of: user, orOf: returned), reference: reference)
    }

    /// Takes back what was written off of a debt, as far as used or held coins of the cancelled payments that made it
    /// come back, and pays it with these coins.
    ///
    /// ```
    /// Dr debt:<user>  coins / Cr coins:written-off  coins
    /// ```
    /// Otherwise the user would have coins whose money went back. An open debt is paid before
    /// (``payDebt(of:returned:reference:)``). There is one entry for each purchase, and no more is taken back for a purchase
    /// than was owed for it.
    mutating func reverseWriteOff(of user: UserID, returned: [Choice], reference: String) {
        var choices: [Choice] = []
        var reversed: [(purchase: Int64, coins: Int64)] = []
        var places: [Int64: Int] = [:]
        for choice in returned {
            guard let history = debts[user], let lot = lots[choice.lotID], let purchase = lot.purchaseID else {
                continue
            }
            let coins = min(choice.coins, lot.remaining, history.owed[purchase] ?? 0, history.writtenOff)
            guard coins > 0 else { continue }
            debts[user]?.reverseWriteOff(coins, of: purchase)
            choices.append(Choice(lotID: lot.id, coins: coins))
            if let place = places[purchase] {
                reversed[place].coins += coins
            } else {
                places[purchase] = reversed.count
                reversed.append((purchase, coins))
            }
        }
        for (purchase, coins) in reversed { postWriteOffReversal(of: coins, by: user, for: purchase) }
        payDebt(of: user, with: choices, reference: reference)
    }

    /// Takes back what was written off of the debt that a purchase's claw-back made: it is owed again.
    mutating func takeBackWriteOff(of coins: Int64, by user: UserID, for purchase: Int64) {
        debts[user]?.reverseWriteOff(coins, of: purchase)
        postWriteOffReversal(of: coins, by: user, for: purchase)
    }

    private mutating func postWriteOffReversal(of coins: Int64, by user: UserID, for purchase: Int64) {
        let stripe = stripe(of: user)
        _ = post(
            .debtWriteOffReversal, reference: "purchase:\(purchase)", effectiveAt: recordedAt, in: stripe,
            [
                Line(account: open(.debt, of: user), side: .debit, amount: coins),
                Line(account: .system(.coinsWrittenOff, stripe), side: .credit, amount: coins),
            ])
    }

    private mutating func payDebt(of user: UserID, with choices: [Choice], reference: String) {
        guard !choices.isEmpty else { return }
        let stripe = stripe(of: user)
        let (lots, uses) = using(choices) { lot, coins in lot.take(coins) }
        let paid = uses.coins(.paid)
        let bonus = uses.coins(.bonus)
        let entryID = post(
            .debtPayment, reference: reference, effectiveAt: recordedAt, in: stripe,
            walletLines(.debit, paid: paid, bonus: bonus, of: user)
                + [Line(account: open(.debt, of: user), side: .credit, amount: paid + bonus)]
                + recognition(of: uses.amount, outputVAT(of: lots), in: stripe))
        change(lots, by: entryID)
        if balance(of: user).debt == 0 { debts[user]?.end() }
    }

    private mutating func choices(upTo most: Int64, of user: UserID, orOf returned: [Choice]) -> [Choice] {
        let late = returned.filter { lots[$0.lotID]?.isExpired(at: recordedAt) ?? false }
        let coins = Dictionary(uniqueKeysWithValues: late.map { ($0.lotID, $0.coins) })
        let usable = lots.usable(by: user, at: recordedAt)
        if usable.count < lotLimits.act, usable.reduce(0, { $0 + $1.remaining }) < most {
            lots.didNotSuffice(for: user)
        }
        let sources = lots.ordered(usable + late.compactMap { lots[$0.lotID] })
        var missing = most
        return sources.prefix(lotLimits.act).compactMap { lot in
            let taken = min(missing, coins[lot.id] ?? lot.remaining)
            missing -= taken
            return taken > 0 ? Choice(lotID: lot.id, coins: taken) : nil
        }
    }
}

extension Plan {
    static func debtLookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        guard !touches.debtors.isEmpty else { return [] }
        return [
            DebtHistory.lines(of: Array(touches.debtors)).into { snapshot, found in
                snapshot.debts.merge(DebtHistory.assemble(found)) { _, found in found }
            }
        ]
    }

    /// To be written after the postings: the database checks them against each other.
    var debtFacts: [PostgresQuery<Int>] { PostgresQuery.facts(debtPayments, DebtPaidByBank.insert) }
}
