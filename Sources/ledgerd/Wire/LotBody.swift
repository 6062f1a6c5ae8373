import Foundation
import Ledger

/// Coins that came together, as clients read them.
struct LotBody: Encodable {
    let id: Int64
    let user: String
    let kind: String
    let coins: Int64
    let remaining: Int64
    let held: Int64
    let amount: Int64
    let currency = "KRW"
    let purchaseID: Int64?
    let issuer: String?
    let acquiredAt: Date
    let expiresAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, user, kind, coins, remaining, held, amount, currency, issuer
        case purchaseID = "purchase_id"
        case acquiredAt = "acquired_at"
        case expiresAt = "expires_at"
    }

    init(_ lot: Lot) {
        id = lot.id
        user = lot.user.rawValue
        kind = lot.kind.rawValue
        coins = lot.coins
        remaining = lot.remaining
        held = lot.held
        amount = lot.amount
        purchaseID = lot.purchaseID
        issuer = lot.issuer
        acquiredAt = lot.acquiredAt
        expiresAt = lot.expiresAt
    }
}

/// Coins of one lot that an act used.
struct LotUseBody: Encodable {
    let lotID: Int64
    let kind: String
    let coins: Int64
    let amount: Int64

    enum CodingKeys: String, CodingKey {
        case kind, coins, amount
        case lotID = "lot_id"
    }

    init(_ use: LotUse) {
        lotID = use.lotID
        kind = use.kind.rawValue
        coins = use.coins
        amount = use.amount
    }
}
