import Ledger
import LedgerWire

/// The request of a reversal; by default all coins that did not come back yet.
struct ReversalRequestBody: Decodable {
    @AllIfAbsent var coins: CoinCount?
    let reason: NonEmpty?

    typealias CodingKeys = ReversalRequest.CodingKeys
}

extension ReversedRedemptionBody {
    init(_ reversed: RedemptionReversed) {
        self.init(
            reversal: ReversalBody(reversed), lots: reversed.lots.map(LotUseBody.init),
            balance: BalanceBody(reversed.balance))
    }
}

extension ReversalBody {
    init(_ reversed: RedemptionReversed) {
        self.init(
            journalEntryID: reversed.journalEntryID, reverses: reversed.redemptionID, coins: reversed.coins,
            amount: reversed.lots.reduce(0) { $0 + $1.amount }, left: reversed.left,
            provider: reversed.provider?.rawValue)
    }
}
