import Ledger

/// What a service gives a user.
struct GrantRequestBody: Decodable {
    let coins: CoinCount
    let reason: NonEmpty
    let issuer: NonEmpty?
    let expiresAt: Moment?

    enum CodingKeys: String, CodingKey {
        case coins, reason, issuer
        case expiresAt = "expires_at"
    }
}

/// Coins that were given, and what there is now.
struct GrantBody: Encodable {
    let grant: Act
    let balance: BalanceBody

    struct Act: Encodable {
        let journalEntryID: Int64
        let lotID: Int64
        let coins: Int64

        enum CodingKeys: String, CodingKey {
            case coins
            case journalEntryID = "journal_entry_id"
            case lotID = "lot_id"
        }
    }

    init(_ granted: Granted) {
        grant = Act(journalEntryID: granted.journalEntryID, lotID: granted.lotID, coins: granted.coins)
        balance = BalanceBody(granted.balance)
    }
}
