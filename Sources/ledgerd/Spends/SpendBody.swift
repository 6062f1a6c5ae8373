import Ledger
import LedgerWire

/// What a service spends a user's coins on.
struct SpendRequestBody: Decodable {
    let coins: CoinCount
    let reference: NonEmpty?
    let reason: NonEmpty?

    typealias CodingKeys = SpendRequest.CodingKeys
}

extension SpendBody {
    /// What clients read of a spend.
    init(_ spent: Spent) {
        let act = Act(
            journalEntryID: spent.journalEntryID, coins: spent.coins, amount: spent.lots.reduce(0) { $0 + $1.amount })
        self.init(spend: act, lots: spent.lots.map(LotUseBody.init), balance: BalanceBody(spent.balance))
    }
}
