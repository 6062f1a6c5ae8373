package import Foundation
package import Postgres

/// Coins that are given to many users within a budget, once to each.
package struct Campaign: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable, CaseIterable {
        /// It waits for a second person.
        case waiting
        /// It gives from its beginning on.
        case active
        /// It gives nothing now.
        case paused
        /// Its time is over.
        case ended
        /// What is left of its coins is being voided.
        case voiding
        /// What was left of its coins is voided.
        case voided
    }

    package let id: Int64
    package let name: String
    package let status: Status
    /// Why it is paused, or was voided; ``budgetMet`` if it is paused because of its budget.
    package let statusReason: String?
    package let terms: CampaignTerms
    /// The service or person who created it.
    package let createdBy: String
    package let createdAt: Date
    /// The second person; nil: none was needed, or nobody has approved it yet.
    package let approvedBy: String?
    /// Who paused, resumed or voided it last; nil: nobody, or ledgerd paused it.
    package let changedBy: String?
    package let progress: CampaignProgress

    /// Who created it.
    package var creator: Identity { Identity(createdBy) }

    /// The coins of those who wait for them, as far as the budget reaches; none when the campaign is over.
    package var toGive: Int64 {
        switch status {
        case .waiting, .active, .paused: progress.toGive(within: terms.budget)
        case .ended, .voiding, .voided: 0
        }
    }

    /// The reason of a campaign that is paused because its budget is met: it goes on when coins are voided.
    package static let budgetMet = "budget_met"
}

/// What a campaign gives, to whom, and when.
///
/// It never changes.
package struct CampaignTerms: Sendable, Equatable {
    /// The coins of a user who has no number of their own.
    package let coins: Int64
    /// The most coins of a user.
    package let mostPerUser: Int64
    /// Coins.
    package let budget: Int64
    package let startsAt: Date
    /// Nothing is given from then on; nil: until the budget is met.
    package let endsAt: Date?
    /// When unused coins expire; nil with ``coinDays`` nil: never.
    package let coinsExpireAt: Date?
    /// The days after which unused coins of each user expire.
    package let coinDays: Int64?
    /// The reason of its grants, in the books.
    package let reason: String
    /// What its users are told.
    package let note: String?
    /// Who sends it claims the coins; nil: a list has the users.
    package let code: String?
    /// Whether its users may give the coins to others.
    package let canBeMoved: Bool
}

/// How far a campaign is, and what became of its coins.
package struct CampaignProgress: Sendable, Equatable {
    /// The users of the list.
    package let listed: Int64
    /// Those of them who have their coins, or were refused.
    package let done: Int64
    /// The users whom the ledger refused.
    package let refused: Int64
    /// The coins of all users who were not refused.
    package let asked: Int64
    /// The users who have got coins.
    package let users: Int64
    package let given: Int64
    /// The coins that are in wallets or on hold.
    package let remaining: Int64
    package let expired: Int64
    package let voided: Int64

    /// The coins that were spent, captured, paid debts or were given to others.
    package var used: Int64 { given - remaining - expired - voided }

    /// The coins of those who wait for them, as far as the budget reaches.
    func toGive(within budget: Int64) -> Int64 { max(0, min(asked - given, budget - given + voided)) }

    /// The coins that will be used, if those that are open are used as those were that are not: what the campaign may still
    /// cost.
    ///
    /// - Parameter open: the coins that can still be used.
    package func expectedUse(of open: Int64) -> Int64 {
        let over = used + expired
        return over == 0 ? open : open.share(used, of: over)
    }
}

extension Campaign: PostgresReadable {
    private static let columns = """
        campaign.id, campaign.name, campaign.status, campaign.status_reason, campaign.coins, campaign.most_per_user,
        campaign.budget, campaign.starts_at, campaign.ends_at, campaign.coins_expire_at, campaign.coin_days,
        campaign.reason, campaign.note, campaign.code, campaign.can_be_moved, campaign.created_by, campaign.created_at,
        campaign.approved_by, campaign.changed_by, campaign.users, campaign.done_to, campaign.refused, campaign.asked,
        sums.users, sums.given, sums.remaining, sums.expired, sums.voided
        """

    /// The campaigns that meet a condition, with what became of their coins: a row for each stripe of each is read.
    private static func find(where condition: String) -> String {
        """
        SELECT \(columns)
        FROM (SELECT * FROM campaign WHERE \(condition)) AS campaign
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(users), 0)::bigint AS users, coalesce(sum(given), 0)::bigint AS given,
                coalesce(sum(remaining), 0)::bigint AS remaining, coalesce(sum(expired), 0)::bigint AS expired,
                coalesce(sum(voided), 0)::bigint AS voided
            FROM campaign_sum WHERE campaign_id = campaign.id
        ) AS sums
        ORDER BY campaign.id DESC
        """
    }

    static func find(_ id: Int64) -> PostgresQuery<Campaign?> { .first(find(where: "id = $1"), [id]) }

    /// Newest first.
    static func list(after cursor: After<Int64>?, limit: Int) -> PostgresQuery<[Campaign]> {
        PostgresQuery(
            find(where: "id < coalesce($1, id + 1) ORDER BY id DESC LIMIT $2"), [cursor?.id, Int64(limit) + 1]
        ) { row in try row.read() }
    }

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Campaign {
        try row.make(
            of: "campaign", at: &column,
            Campaign.init(id:name:status:statusReason:terms:createdBy:createdAt:approvedBy:changedBy:progress:))
    }
}

extension CampaignTerms: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> CampaignTerms {
        try row.make(at: &column, CampaignTerms.init)
    }
}

extension CampaignProgress: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> CampaignProgress {
        try row.make(at: &column, CampaignProgress.init)
    }
}
