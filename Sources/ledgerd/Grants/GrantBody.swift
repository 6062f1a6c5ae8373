import Ledger
import LedgerWire

/// What a service gives a user.
struct GrantRequestBody: Decodable {
    let coins: CoinCount
    let reason: NonEmpty
    let issuer: NonEmpty?
    let expiresAt: Moment?

    typealias CodingKeys = GrantRequest.CodingKeys
}

extension GrantBody {
    /// What clients read of a grant.
    init(_ granted: Granted) {
        self.init(
            grant: Act(journalEntryID: granted.journalEntryID, lotID: granted.lotID, coins: granted.coins),
            balance: BalanceBody(granted.balance))
    }
}
