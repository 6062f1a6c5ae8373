/// Pays what a user owes out of coins that the user can use, should there be both.
///
/// ```
/// Dr wallet:<user>:paid (or :bonus)  coins / Cr debt:<user>      coins
/// Dr coins:deferred-revenue          won   / Cr revenue:coins    won
/// ```
/// Every act by which coins become usable does that by itself. Only books from before it was so have users with both.
public struct PayDebt: Sendable, Equatable {
    /// Who may owe.
    public let user: UserID

    /// A debt to pay, if there is one.
    public init(user: UserID) { self.user = user }
}
