import Ledger

/// A user's balance, in coins, as clients read it.
struct BalanceBody: Encodable {
    let user: String
    let total: Int64
    let paid: Int64
    let bonus: Int64
    let held: Int64
    let available: Int64
    let debt: Int64

    init(_ balance: Balance) {
        user = balance.user.rawValue
        total = balance.total
        paid = balance.paid
        bonus = balance.bonus
        held = balance.held
        available = balance.available
        debt = balance.debt
    }
}

/// The balances of many users, in the order in which they were asked for.
struct BalancesBody: Encodable {
    let balances: [BalanceBody]
}

/// Whose balances are asked for.
struct BalanceQueryBody: Decodable {
    static let mostUsers = 500

    let users: [NonEmpty]
}
