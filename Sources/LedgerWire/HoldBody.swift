public import Foundation

/// Coins set aside for someone.
public struct HoldBody: Codable, Hashable, Sendable {
    /// The hold's id.
    public let id: Int64
    /// Whose coins they are.
    public let user: String
    /// `open`, `captured`, `voided` or `expired`.
    public let status: String
    /// How many coins were set aside.
    public let coins: Int64
    /// How many of them were taken.
    public let captured: Int64
    /// How many of them were given back.
    public let released: Int64
    /// How many of them are still set aside.
    public let remaining: Int64
    /// The service's own name for what it is for.
    public let reference: String?
    /// When it was placed.
    public let placedAt: Date
    /// When what remains goes back by itself.
    public let expiresAt: Date
    /// When nothing was set aside any more.
    public let closedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, user, status, coins, captured, released, remaining, reference
        case placedAt = "placed_at"
        case expiresAt = "expires_at"
        case closedAt = "closed_at"
    }

    /// Creates a hold of its members.
    public init(
        id: Int64, user: String, status: String, coins: Int64, captured: Int64, released: Int64, remaining: Int64,
        reference: String?, placedAt: Date, expiresAt: Date, closedAt: Date?
    ) {
        self.id = id
        self.user = user
        self.status = status
        self.coins = coins
        self.captured = captured
        self.released = released
        self.remaining = remaining
        self.reference = reference
        self.placedAt = placedAt
        self.expiresAt = expiresAt
        self.closedAt = closedAt
    }
}

extension HoldBody: ListedBody {
    /// `holds`.
    public static let listName = "holds"
}

/// A hold that was placed, where its coins come from, and what is left.
public struct PlacedHoldBody: Codable, Hashable, Sendable {
    /// The hold.
    public let hold: HoldBody
    /// The lots that its coins are of.
    public let lots: [LotUseBody]
    /// What the user has after it.
    public let balance: BalanceBody

    /// Creates the answer to a hold that is placed.
    public init(hold: HoldBody, lots: [LotUseBody], balance: BalanceBody) {
        self.hold = hold
        self.lots = lots
        self.balance = balance
    }
}

/// A hold of which coins were taken.
public struct CapturedHoldBody: Codable, Hashable, Sendable {
    /// The hold as it is now.
    public let hold: HoldBody
    /// What was done.
    public let capture: Act
    /// The lots that the coins were of.
    public let lots: [LotUseBody]
    /// What the user has after it.
    public let balance: BalanceBody

    /// A capture as the books have it.
    public typealias Act = RedemptionBody

    /// Creates the answer to a capture.
    public init(hold: HoldBody, capture: Act, lots: [LotUseBody], balance: BalanceBody) {
        self.hold = hold
        self.capture = capture
        self.lots = lots
        self.balance = balance
    }
}

/// A hold that was voided.
public struct VoidedHoldBody: Codable, Hashable, Sendable {
    /// The hold as it is now.
    public let hold: HoldBody
    /// What the user has after it.
    public let balance: BalanceBody

    /// Creates the answer to a void.
    public init(hold: HoldBody, balance: BalanceBody) {
        self.hold = hold
        self.balance = balance
    }
}
