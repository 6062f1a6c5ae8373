import Ledger

/// What a service spends a user's coins on.
struct SpendRequestBody: Decodable {
    let coins: CoinCount
    let reference: NonEmpty?
    let reason: NonEmpty?
}

/// Coins that were used up, where they came from, and what is left.
struct SpendBody: Encodable {
    let spend: Act
    let lots: [LotUseBody]
    let balance: BalanceBody

    struct Act: Encodable {
        let journalEntryID: Int64
        let coins: Int64
        /// The won recognised as revenue.
        let amount: Int64
        let currency = "KRW"

        enum CodingKeys: String, CodingKey {
            case coins, amount, currency
            case journalEntryID = "journal_entry_id"
        }
    }

    init(_ spent: Spent) {
        spend = Act(
            journalEntryID: spent.journalEntryID, coins: spent.coins, amount: spent.lots.reduce(0) { $0 + $1.amount })
        lots = spent.lots.map(LotUseBody.init)
        balance = BalanceBody(spent.balance)
    }
}
