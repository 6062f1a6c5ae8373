public import Foundation

/// Thresholds of available coins.
public struct BalanceAlertsBody: Codable, Hashable, Sendable {
    /// The id of the user; nil: of all users without thresholds of their own.
    public let user: String?
    /// Coins that fall from one of these or more to less are an event; ascending.
    ///
    /// - Count: `...10`
    public let below: [Int64]
    /// Coins that rise from one of these or less to more are an event; ascending.
    ///
    /// - Count: `...10`
    public let above: [Int64]
    /// The caller who set them: `sub` of the token.
    public let setBy: String
    /// When they were set.
    public let setAt: Date

    private enum CodingKeys: String, CodingKey {
        case user, below, above
        case setBy = "set_by"
        case setAt = "set_at"
    }

    /// Creates thresholds.
    public init(user: String?, below: [Int64], above: [Int64], setBy: String, setAt: Date) {
        self.user = user
        self.below = below
        self.above = above
        self.setBy = setBy
        self.setAt = setAt
    }
}

/// A request to set thresholds of available coins.
public struct BalanceAlertsRequest: Codable, Hashable, Sendable {
    /// Coins that fall from one of these or more to less are an event; none: nothing that falls is one.
    ///
    /// - Count: `...10`
    public var below: [Member.Amount]
    /// Coins that rise from one of these or less to more are an event; none: nothing that rises is one.
    ///
    /// - Count: `...10`
    public var above: [Member.Amount]

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case below, above
    }

    /// Creates a request.
    public init(below: [Int64], above: [Int64]) {
        self.below = below
        self.above = above
    }
}
