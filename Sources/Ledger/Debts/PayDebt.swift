/// Pays a user's debt with coins that the user can use.
///
/// ```
/// Dr wallet:<user>:paid (or :bonus)  coins / Cr debt:<user>      coins
/// Dr coins:deferred-revenue          won   / Cr revenue:coins    won
/// ```
/// Every act that makes coins usable also pays the debt. Users have both only in books from before that rule, or if
/// their coins lay in more lots than one act may change (``LotLimits/act``).
package struct PayDebt: UserAct, Equatable {
    package var user: UserID

    package init(user: UserID) { self.user = user }
}

/// The result of paying a debt, as far as there were coins.
package struct DebtPaid: Sendable, Equatable {
    /// The coins that this act took.
    package let coins: Int64
    /// The user's balance after the act.
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
