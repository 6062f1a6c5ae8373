public import Foundation

/// A campaign to create.
public struct CampaignRequest: Codable, Hashable, Sendable {
    /// The name, which no other campaign has; a repeat of the same request returns the same campaign.
    public var name: Member.Text
    /// The coins of a user who has no number of their own.
    public var coins: Member.Amount
    /// The most coins of a user; nil: `coins`.
    public var mostPerUser: Member.Amount?
    /// The most coins of all users; what is voided can be given again.
    public var budget: Member.Amount
    /// When it begins to give; nil: now.
    public var startsAt: Date?
    /// Nothing is given from then on; nil: until the budget is met.
    public var endsAt: Date?
    /// When coins expire that were not used; nil: never, or after `coin_days`.
    public var coinsExpireAt: Date?
    /// The days after which the coins of each user expire; not with `coins_expire_at`.
    ///
    /// - Range: `1...36500`
    public var coinDays: Int64?
    /// The reason of the grants, in the books.
    public var reason: Member.Text
    /// What the users are told.
    public var note: Member.Text?
    /// Who sends it claims the coins; nil: the campaign has a list of users.
    public var code: Member.Text?
    /// Whether users may give the coins to others; nil: they may not.
    public var canBeMoved: Bool?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, coins, budget, reason, note, code
        case mostPerUser = "most_per_user"
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case coinsExpireAt = "coins_expire_at"
        case coinDays = "coin_days"
        case canBeMoved = "can_be_moved"
    }

    /// Creates a campaign.
    public init(
        name: String, coins: Int64, mostPerUser: Int64? = nil, budget: Int64, startsAt: Date? = nil,
        endsAt: Date? = nil, coinsExpireAt: Date? = nil, coinDays: Int64? = nil, reason: String, note: String? = nil,
        code: String? = nil, canBeMoved: Bool? = nil
    ) {
        self.name = name
        self.coins = coins
        self.mostPerUser = mostPerUser
        self.budget = budget
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.coinsExpireAt = coinsExpireAt
        self.coinDays = coinDays
        self.reason = reason
        self.note = note
        self.code = code
        self.canBeMoved = canBeMoved
    }
}

/// Users for the list of a campaign.
public struct CampaignUsersRequest: Codable, Hashable, Sendable {
    /// The most users of a request.
    public static let mostUsers = 10_000

    /// The users.
    ///
    /// - Count: `1...10000`
    public var users: [CampaignUserRequest]
    /// Whether they are only counted, and not added; nil: they are added.
    public var dryRun: Bool?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case users
        case dryRun = "dry_run"
    }

    /// Creates a request.
    public init(users: [CampaignUserRequest], dryRun: Bool? = nil) {
        self.users = users
        self.dryRun = dryRun
    }
}

/// A user for the list of a campaign.
public struct CampaignUserRequest: Codable, Hashable, Sendable {
    /// The id of the user.
    public var user: Member.Owner
    /// The coins of the user; nil: as many as the campaign gives.
    public var coins: Member.Amount?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case user, coins
    }

    /// Creates a user.
    public init(user: String, coins: Int64? = nil) {
        self.user = user
        self.coins = coins
    }
}

/// A pause or a void of a campaign.
public struct CampaignStopRequest: Codable, Hashable, Sendable {
    /// The reason.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }

    /// Creates it.
    public init(reason: String) { self.reason = reason }
}

/// A claim of a campaign's coins.
public struct CampaignClaimRequest: Codable, Hashable, Sendable {
    /// The code of the campaign.
    public var code: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case code
    }

    /// Creates a claim.
    public init(code: String) { self.code = code }
}
