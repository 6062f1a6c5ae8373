public import Foundation

/// A lot: coins that came together.
public struct LotBody: Codable, Hashable, Sendable {
    /// The id of the lot.
    public let id: Member.ID
    /// The id of the user.
    public let user: String
    /// `paid` or `bonus`.
    public let kind: Member.CoinKind
    /// The number of coins in the lot at first.
    public let coins: Int64
    /// The number of coins left in the wallet.
    public let remaining: Int64
    /// The number of coins on hold.
    public let held: Int64
    /// The purchase price, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: Member.Currency
    /// The id of the purchase of the lot, if it has one.
    public let purchaseID: Member.ID?
    /// The id of the lot that was bought or granted, if its coins were given by another user.
    public let originLotID: Member.ID?
    /// Who granted the coins, if they were granted.
    public let issuer: String?
    /// When the lot was credited.
    public let acquiredAt: Date
    /// When the remaining coins expire; nil: never.
    public let expiresAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, user, kind, coins, remaining, held, amount, currency, issuer
        case purchaseID = "purchase_id"
        case originLotID = "origin_lot_id"
        case acquiredAt = "acquired_at"
        case expiresAt = "expires_at"
    }

    /// Creates a lot.
    public init(
        id: Int64, user: String, kind: String, coins: Int64, remaining: Int64, held: Int64, amount: Int64,
        currency: String = Member.won, purchaseID: Int64?, originLotID: Int64? = nil, issuer: String?,
        acquiredAt: Date, expiresAt: Date?
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.coins = coins
        self.remaining = remaining
        self.held = held
        self.amount = amount
        self.currency = currency
        self.purchaseID = purchaseID
        self.originLotID = originLotID
        self.issuer = issuer
        self.acquiredAt = acquiredAt
        self.expiresAt = expiresAt
    }
}

extension LotBody: ListedBody {
    /// `lots`.
    public static let listName = "lots"
}

/// The coins of one lot in an act.
public struct LotUseBody: Codable, Hashable, Sendable {
    /// The id of the lot.
    public let lotID: Member.ID
    /// `paid` or `bonus`.
    public let kind: Member.CoinKind
    /// The number of coins.
    public let coins: Int64
    /// The purchase price of these coins, in minor units of the lot's currency.
    public let amount: Int64

    private enum CodingKeys: String, CodingKey {
        case kind, coins, amount
        case lotID = "lot_id"
    }

    /// Creates a use.
    public init(lotID: Int64, kind: String, coins: Int64, amount: Int64) {
        self.lotID = lotID
        self.kind = kind
        self.coins = coins
        self.amount = amount
    }
}

extension LotUseBody: ListedBody {
    /// `lots`.
    public static let listName = "lots"
}
