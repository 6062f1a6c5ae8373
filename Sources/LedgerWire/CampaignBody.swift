public import Foundation

/// A campaign, how far it is, and what became of its coins.
public struct CampaignBody: Codable, Hashable, Sendable {
    /// The id of the campaign.
    public let id: Member.ID
    /// The name of the campaign, which its grants have as their issuer.
    public let name: String
    /// `waiting`: for a second person; `active`: it gives from `starts_at` on; `paused`: it gives nothing now; `ended`: its
    /// time is over; `voiding`: what is left of its coins is being voided; `voided`: that is done.
    ///
    /// - Values: `waiting`, `active`, `paused`, `ended`, `voiding`, `voided`
    public let status: String
    /// Why it is paused, or was voided; `budget_met` if its budget is used up.
    public let statusReason: String?
    /// The coins of a user who has no number of their own.
    public let coins: Int64
    /// The most coins of a user.
    public let mostPerUser: Int64
    /// The most coins of all users; what is voided can be given again.
    public let budget: Int64
    /// When it begins to give.
    public let startsAt: Date
    /// Nothing is given from then on; nil: until the budget is met.
    public let endsAt: Date?
    /// When coins expire that were not used; nil: never, or after `coin_days`.
    public let coinsExpireAt: Date?
    /// The days after which the coins of each user expire.
    public let coinDays: Int64?
    /// The reason of the grants, in the books.
    public let reason: String
    /// What the users are told.
    public let note: String?
    /// Who sends it claims the coins; nil: the campaign has a list of users.
    public let code: String?
    /// Whether users may give the coins to others.
    public let canBeMoved: Bool
    /// Who created it: `sub` of the token, or a person.
    public let createdBy: String
    /// When it was created.
    public let createdAt: Date
    /// The second person; nil: none was needed, or nobody has approved it yet.
    public let approvedBy: String?
    /// Who paused, resumed or voided it last; nil: nobody, or ledgerd paused it.
    public let changedBy: String?
    /// How far it is.
    public let progress: Progress
    /// What became of its coins.
    public let costs: Costs

    /// How far a campaign is.
    public struct Progress: Codable, Hashable, Sendable {
        /// The users of the list.
        public let listed: Member.Natural
        /// The users of the list who wait for their coins.
        public let waiting: Member.Natural
        /// The users who have got coins.
        public let users: Member.Natural
        /// The users who got nothing, because the ledger refused it.
        public let refused: Member.Natural

        /// Creates it.
        public init(listed: Int64, waiting: Int64, users: Int64, refused: Int64) {
            self.listed = listed
            self.waiting = waiting
            self.users = users
            self.refused = refused
        }
    }

    /// What became of a campaign's coins: `given` is the sum of `used`, `expired`, `voided` and `open`.
    public struct Costs: Codable, Hashable, Sendable {
        /// The coins that were given.
        public let given: Member.Natural
        /// The coins that were spent, captured, paid debts or were given to others.
        public let used: Member.Natural
        /// The coins that expired.
        public let expired: Member.Natural
        /// The coins that were voided.
        public let voided: Member.Natural
        /// The coins in wallets and on hold.
        public let open: Member.Natural
        /// The coins of users who wait for them, as far as the budget reaches.
        public let toGive: Member.Natural
        /// The coins of `open` and `to_give` that will be used, if they are used as those were that are not open any more.
        public let expected: Member.Natural

        private enum CodingKeys: String, CodingKey {
            case given, used, expired, voided, open, expected
            case toGive = "to_give"
        }

        /// Creates it.
        public init(
            given: Int64, used: Int64, expired: Int64, voided: Int64, open: Int64, toGive: Int64, expected: Int64
        ) {
            self.given = given
            self.used = used
            self.expired = expired
            self.voided = voided
            self.open = open
            self.toGive = toGive
            self.expected = expected
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, status, coins, budget, reason, note, code, progress, costs
        case statusReason = "status_reason"
        case mostPerUser = "most_per_user"
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case coinsExpireAt = "coins_expire_at"
        case coinDays = "coin_days"
        case canBeMoved = "can_be_moved"
        case createdBy = "created_by"
        case createdAt = "created_at"
        case approvedBy = "approved_by"
        case changedBy = "changed_by"
    }

    /// Creates a campaign as it is.
    public init(
        id: Int64, name: String, status: String, statusReason: String?, coins: Int64, mostPerUser: Int64,
        budget: Int64, startsAt: Date, endsAt: Date?, coinsExpireAt: Date?, coinDays: Int64?, reason: String,
        note: String?, code: String?, canBeMoved: Bool, createdBy: String, createdAt: Date, approvedBy: String?,
        changedBy: String?, progress: Progress, costs: Costs
    ) {
        self.id = id
        self.name = name
        self.status = status
        self.statusReason = statusReason
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
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.approvedBy = approvedBy
        self.changedBy = changedBy
        self.progress = progress
        self.costs = costs
    }
}

extension CampaignBody: ListedBody {
    /// `campaigns`.
    public static let listName = "campaigns"
}

/// What became of users for the list of a campaign.
public struct CampaignUsersBody: Codable, Hashable, Sendable {
    /// The users that were added, or would be.
    public let added: Member.Natural
    /// The users that are on the list already, or came twice: they stay as they are.
    public let present: Member.Natural
    /// The coins of the users that were added.
    public let coins: Member.Natural
    /// The coins of all who wait that the budget does not cover.
    public let lacking: Member.Natural
    /// Whether they were only counted.
    public let dryRun: Bool

    private enum CodingKeys: String, CodingKey {
        case added, present, coins, lacking
        case dryRun = "dry_run"
    }

    /// Creates it.
    public init(added: Int64, present: Int64, coins: Int64, lacking: Int64, dryRun: Bool) {
        self.added = added
        self.present = present
        self.coins = coins
        self.lacking = lacking
        self.dryRun = dryRun
    }
}

/// The coins that a campaign gave a user who claimed them.
public struct CampaignClaimBody: Codable, Hashable, Sendable {
    /// The id of the campaign.
    public let campaignID: Member.ID
    /// What the campaign tells its users.
    public let note: String?
    /// The posted grant.
    public let grant: GrantBody.Act
    /// The user's balance.
    public let balance: BalanceBody

    private enum CodingKeys: String, CodingKey {
        case note, grant, balance
        case campaignID = "campaign_id"
    }

    /// Creates it.
    public init(campaignID: Int64, note: String?, grant: GrantBody.Act, balance: BalanceBody) {
        self.campaignID = campaignID
        self.note = note
        self.grant = grant
        self.balance = balance
    }
}
