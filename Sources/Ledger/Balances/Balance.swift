/// What a user has, in coins.
package struct Balance: Sendable, Equatable, Codable {
    /// Whose it is.
    package let user: UserID
    /// Bought coins in the wallet.
    package let paid: Int64
    /// Given coins in the wallet.
    package let bonus: Int64
    /// Coins held for someone.
    package let held: Int64
    /// Coins that were spent although their payment was taken back.
    package let debt: Int64

    /// All coins that are the user's: paid, bonus and held.
    package var total: Int64 { paid + bonus + held }
    /// Coins that can be spent now: nothing while there is debt.
    package var available: Int64 { debt > 0 ? 0 : paid + bonus }

    /// Reads the balance out of the user's accounts; one not opened yet holds nothing.
    init(user: UserID, balanceOf: (UserAccount) -> Int64) {
        self.user = user
        self.paid = balanceOf(.paid)
        self.bonus = balanceOf(.bonus)
        self.held = balanceOf(.heldPaid) + balanceOf(.heldBonus)
        self.debt = balanceOf(.debt)
    }
}
