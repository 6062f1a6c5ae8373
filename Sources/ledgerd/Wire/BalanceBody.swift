import Ledger
import LedgerWire

extension BalanceBody {
    /// What clients read of a balance.
    init(_ balance: Balance) {
        self.init(
            user: balance.user.rawValue, total: balance.total, paid: balance.paid, bonus: balance.bonus,
            held: balance.held, available: balance.available, debt: balance.debt)
    }
}

/// Whose balances are asked for.
struct BalanceQueryBody: Decodable {
    let users: [AccountOwner]

    typealias CodingKeys = BalanceQuery.CodingKeys
}
