import Foundation
import Ledger

/// What a service sets aside of a user's coins.
struct HoldRequestBody: Decodable {
    let coins: CoinCount
    let timeout: HoldTimeout?
    let reference: NonEmpty?
    let reason: NonEmpty?

    enum CodingKeys: String, CodingKey {
        case coins, reference, reason
        case timeout = "timeout_seconds"
    }
}

/// What of a hold is taken, and by whom; nothing said: all that is left, by nobody.
struct CaptureRequestBody: Decodable {
    let coins: CoinCount?
    let provider: AccountOwner?
    let isFinal: Bool?
    let reason: NonEmpty?

    enum CodingKeys: String, CodingKey {
        case coins, provider, reason
        case isFinal = "final"
    }
}

/// Why a hold is voided.
struct VoidRequestBody: Decodable {
    let reason: NonEmpty?
}

/// Coins set aside for someone, as clients read it.
struct HoldBody: Encodable {
    let id: Int64
    let user: String
    let status: String
    let coins: Int64
    let captured: Int64
    let released: Int64
    let remaining: Int64
    let reference: String?
    let placedAt: Date
    let expiresAt: Date
    let closedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, user, status, coins, captured, released, remaining, reference
        case placedAt = "placed_at"
        case expiresAt = "expires_at"
        case closedAt = "closed_at"
    }

    init(_ hold: Hold) {
        id = hold.id
        user = hold.user.rawValue
        status = hold.status.rawValue
        coins = hold.coins
        captured = hold.captured
        released = hold.released
        remaining = hold.remaining
        reference = hold.reference
        placedAt = hold.placedAt
        expiresAt = hold.expiresAt
        closedAt = hold.closedAt
    }
}

/// A hold that was placed, where its coins come from, and what is left.
struct PlacedHoldBody: Encodable {
    let hold: HoldBody
    let lots: [LotUseBody]
    let balance: BalanceBody

    init(_ placed: HoldPlaced) {
        hold = HoldBody(placed.hold)
        lots = placed.lots.map(LotUseBody.init)
        balance = BalanceBody(placed.balance)
    }
}

/// A hold of which coins were taken.
struct CapturedHoldBody: Encodable {
    let hold: HoldBody
    let capture: Act
    let lots: [LotUseBody]
    let balance: BalanceBody

    struct Act: Encodable {
        let journalEntryID: Int64
        let coins: Int64
        /// The won recognised as revenue.
        let amount: Int64
        let currency = "KRW"
        let provider: String?

        enum CodingKeys: String, CodingKey {
            case coins, amount, currency, provider
            case journalEntryID = "journal_entry_id"
        }
    }

    init(_ captured: HoldCaptured) {
        hold = HoldBody(captured.hold)
        capture = Act(
            journalEntryID: captured.journalEntryID, coins: captured.coins,
            amount: captured.lots.reduce(0) { $0 + $1.amount }, provider: captured.provider?.rawValue)
        lots = captured.lots.map(LotUseBody.init)
        balance = BalanceBody(captured.balance)
    }
}

/// A hold that was voided.
struct VoidedHoldBody: Encodable {
    let hold: HoldBody
    let balance: BalanceBody

    init(_ voided: HoldVoided) {
        hold = HoldBody(voided.hold)
        balance = BalanceBody(voided.balance)
    }
}
