/// Pays what a user owes out of coins that the user can use, should there be both.
///
/// ```
/// Dr wallet:<user>:paid (or :bonus)  coins / Cr debt:<user>      coins
/// Dr coins:deferred-revenue          won   / Cr revenue:coins    won
/// ```
/// Every act by which coins become usable does that by itself. Only books from before it was so have users with both.
package struct PayDebt: Act, Equatable {
    /// Who may owe.
    package let user: UserID

    /// A debt to pay, if there is one.
    package init(user: UserID) { self.user = user }
}

/// A debt that is paid as far as there were coins.
package struct DebtPaid: Sendable, Equatable {
    /// How many coins this act took.
    package let coins: Int64
    /// The user's balance right after the act.
    package let balance: Balance
}

// MARK: - Planning

extension PayDebt {
    package var touches: Touches {
        Touches(systemAccounts: [.deferredRevenue, .revenue], userLots: .ifInDebt)
    }

    package func plan(on books: inout Plan) -> Answer<DebtPaid> { books.payDebt(self) }
}

extension Plan {
    fileprivate mutating func payDebt(_ act: PayDebt) -> Answer<DebtPaid> {
        let debt = balance(of: act.user).debt
        payDebt(of: act.user, reference: "user:\(act.user.rawValue)")
        let balance = balance(of: act.user)
        let coins = debt - balance.debt
        return Answer(.done(DebtPaid(coins: coins, balance: balance)), isRepeat: coins == 0)
    }
}
