public import Foundation

/// A hold.
public struct HoldBody: Codable, Hashable, Sendable {
    /// The id of the hold.
    public let id: Member.ID
    /// The id of the user.
    public let user: String
    /// `open`: coins are on hold; otherwise how it was closed: `captured`, `voided` or `expired`.
    ///
    /// - Values: `open`, `captured`, `voided`, `expired`
    public let status: String
    /// The number of coins at first.
    public let coins: Int64
    /// The number of captured coins.
    public let captured: Int64
    /// The number of released coins.
    public let released: Int64
    /// The number of coins still on hold.
    public let remaining: Int64
    /// The service's own reference.
    public let reference: String?
    /// When the hold was placed.
    public let placedAt: Date
    /// When the hold expires and the remaining coins return to the wallet.
    public let expiresAt: Date
    /// When the hold was closed.
    public let closedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, user, status, coins, captured, released, remaining, reference
        case placedAt = "placed_at"
        case expiresAt = "expires_at"
        case closedAt = "closed_at"
    }

    /// Creates a hold.
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

/// A hold that was placed.
public struct PlacedHoldBody: Codable, Hashable, Sendable {
    /// The hold.
    public let hold: HoldBody
    /// The lots of the coins.
    public let lots: [LotUseBody]
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// Creates the response to a placed hold.
    public init(hold: HoldBody, lots: [LotUseBody], balance: BalanceBody) {
        self.hold = hold
        self.lots = lots
        self.balance = balance
    }
}

/// A capture.
public struct CapturedHoldBody: Codable, Hashable, Sendable {
    /// The hold as it is now.
    public let hold: HoldBody
    /// The posted capture.
    public let capture: Act
    /// The lots of the coins.
    public let lots: [LotUseBody]
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// The posted capture.
    public typealias Act = RedemptionBody

    /// Creates the response to a capture.
    public init(hold: HoldBody, capture: Act, lots: [LotUseBody], balance: BalanceBody) {
        self.hold = hold
        self.capture = capture
        self.lots = lots
        self.balance = balance
    }
}

/// A voided hold.
public struct VoidedHoldBody: Codable, Hashable, Sendable {
    /// The hold as it is now.
    public let hold: HoldBody
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// Creates the response to a void.
    public init(hold: HoldBody, balance: BalanceBody) {
        self.hold = hold
        self.balance = balance
    }
}
