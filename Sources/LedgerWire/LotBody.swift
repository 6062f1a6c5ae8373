public import Foundation

/// Coins that came together.
public struct LotBody: Codable, Hashable, Sendable {
    /// The lot's id.
    public let id: Int64
    /// Whose coins they are.
    public let user: String
    /// `paid` or `bonus`.
    public let kind: String
    /// How many came.
    public let coins: Int64
    /// How many of them are left to be spent.
    public let remaining: Int64
    /// How many of them are set aside by holds.
    public let held: Int64
    /// What was paid for them, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// The purchase that they came by, if it was one.
    public let purchaseID: Int64?
    /// Who gave them, if they were given.
    public let issuer: String?
    /// When they came.
    public let acquiredAt: Date
    /// When what is left of them expires; nil: never.
    public let expiresAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, user, kind, coins, remaining, held, amount, currency, issuer
        case purchaseID = "purchase_id"
        case acquiredAt = "acquired_at"
        case expiresAt = "expires_at"
    }

    /// Creates a lot of its members.
    public init(
        id: Int64, user: String, kind: String, coins: Int64, remaining: Int64, held: Int64, amount: Int64,
        currency: String = "KRW", purchaseID: Int64?, issuer: String?, acquiredAt: Date, expiresAt: Date?
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
        self.issuer = issuer
        self.acquiredAt = acquiredAt
        self.expiresAt = expiresAt
    }
}

extension LotBody: ListedBody {
    /// `lots`.
    public static let listName = "lots"
}

/// Coins of one lot that an act used.
public struct LotUseBody: Codable, Hashable, Sendable {
    /// The lot.
    public let lotID: Int64
    /// `paid` or `bonus`.
    public let kind: String
    /// How many coins of it.
    public let coins: Int64
    /// What was paid for them, in minor units of the lot's currency.
    public let amount: Int64

    private enum CodingKeys: String, CodingKey {
        case kind, coins, amount
        case lotID = "lot_id"
    }

    /// Creates a use of its members.
    public init(lotID: Int64, kind: String, coins: Int64, amount: Int64) {
        self.lotID = lotID
        self.kind = kind
        self.coins = coins
        self.amount = amount
    }
}
