/// A user's balance in coins.
package struct Balance: Sendable, Equatable, Codable {
    package let user: UserID
    /// Paid coins in the wallet.
    package let paid: Int64
    /// Bonus coins in the wallet.
    package let bonus: Int64
    /// Coins on hold, paid and bonus.
    package let held: Int64
    /// Coins that the user owes: they were spent, and then their payment was cancelled.
    package let debt: Int64

    /// Paid, bonus and held coins.
    package var total: Int64 { paid + bonus + held }
    /// Coins that can be spent now: zero while there is debt.
    package var available: Int64 { debt > 0 ? 0 : paid + bonus }

    /// Takes the balances of the user's accounts: zero for an account that is not opened yet.
    init(user: UserID, balanceOf: (UserAccount) -> Int64) {
        self.user = user
        self.paid = balanceOf(.paid)
        self.bonus = balanceOf(.bonus)
        self.held = balanceOf(.heldPaid) + balanceOf(.heldBonus)
        self.debt = balanceOf(.debt)
    }
}
