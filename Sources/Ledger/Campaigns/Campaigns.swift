import Batching
package import Foundation
import Postgres

/// A campaign to create.
package struct CampaignDraft: Sendable, Equatable {
    package let name: String
    package let coins: Coins
    /// The most coins of a user: at least ``coins``.
    package let mostPerUser: Coins
    /// At least ``mostPerUser``.
    package let budget: Coins
    /// nil: now.
    package let startsAt: Date?
    package let endsAt: Date?
    /// When unused coins expire; nil: never, or after ``coinDays``.
    package let coinsExpireAt: Date?
    package let coinDays: Int64?
    package let reason: String
    package let note: String?
    /// Who sends it claims the coins; nil: a list has the users.
    package let code: String?
    package let canBeMoved: Bool

    package init(
        name: String, coins: Coins, mostPerUser: Coins, budget: Coins, startsAt: Date? = nil, endsAt: Date? = nil,
        coinsExpireAt: Date? = nil, coinDays: Int64? = nil, reason: String, note: String? = nil, code: String? = nil,
        canBeMoved: Bool = false
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

extension CampaignDraft {
    /// The key under which its budget is counted for a caller: a campaign has its name for ever.
    package func key(of caller: UserID) -> CallerKey? { CallerKey("campaign:\(Fingerprint(name).text)", of: caller) }
}

/// A user for the list of a campaign.
package struct CampaignUser: Sendable, Equatable {
    package let user: UserID
    /// nil: as many as the campaign gives.
    package let coins: Coins?

    package init(_ user: UserID, coins: Coins? = nil) {
        self.user = user
        self.coins = coins
    }
}

/// What became of users for the list of a campaign.
package struct CampaignUsersAdded: Sendable, Equatable {
    package var added: Int64 = 0
    /// Those who were on the list, or came twice.
    package var present: Int64 = 0
    /// The coins of those who were added.
    package var coins: Int64 = 0
    /// The coins of those who wait that the budget does not cover.
    package var lacking: Int64 = 0

    package init() {}

    init(added: Int64, present: Int64, coins: Int64, lacking: Int64) {
        (self.added, self.present, self.coins, self.lacking) = (added, present, coins, lacking)
    }
}

/// Why a campaign takes no users or claims.
package enum CampaignRefusal: String, Sendable, Error {
    case notFound = "not_found"
    /// Its users claim the coins.
    case hasCode = "has_code"
    /// It takes no users any more.
    case closed
    /// A user would get more than its users can.
    case exceedsMost = "exceeds_most"
    case notStarted = "not_started"
    case paused
    case ended
    case budgetMet = "budget_met"
}

/// Keeps campaigns.
///
/// They and their users are changed by functions of the database alone (schema/judges/campaigns.sql).
package struct Campaigns: Sendable {
    /// The most users that are added in one statement.
    package static let batch = 10_000

    private let pools: Pools
    /// A claim locks its campaign until its commit, so those that come meanwhile share the next one.
    private let claims: BatchQueue<Claim, Result<Int64, CampaignRefusal>>

    private struct Claim: Sendable {
        let code: String
        let user: UserID
    }

    init(_ pools: Pools) {
        self.pools = pools
        claims = BatchQueue(capacity: 8192, batchLimit: 256) { claims in
            await answering(claims) { try await pools.writes.run(Self.reserve(claims)) }
        }
    }

    /// Refuses further claims, and returns when those before are answered.
    func close() async { await claims.close() }

    package func find(_ id: Int64) async throws(LedgerError) -> Campaign? {
        try await reading { try await pools.reads.run(Campaign.find(id)) }
    }

    /// All campaigns, newest first.
    package func list(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Campaign, After<Int64>> {
        try await reading { Page(try await pools.reads.run(Campaign.list(after: cursor, limit: limit)), limit: limit) }
    }

    /// Whether there is a campaign with this name.
    package func isTaken(_ name: String) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.writes.run(.one("SELECT EXISTS (SELECT FROM campaign WHERE name = $1)", [name]))
        }
    }

    /// Creates a campaign; a repeat of the same finds it.
    ///
    /// - Parameter needsApproval: whether it waits for a second person.
    /// - Returns: its id; nil: another one has the name or the code.
    package func create(
        _ draft: CampaignDraft, by caller: String, needsApproval: Bool
    ) async throws(LedgerError) -> Int64? {
        try await reading { try await pools.writes.run(draft.create(by: caller, needsApproval)) }
    }

    /// Adds users to the list, at most ``batch``; who is on it stays.
    ///
    /// - Parameter isDryRun: whether they are only counted.
    package func add(
        _ users: [CampaignUser], to id: Int64, isDryRun: Bool = false
    ) async throws(LedgerError) -> Result<CampaignUsersAdded, CampaignRefusal> {
        try await reading { try await pools.writes.run(Self.add(users, to: id, isDryRun)) }
    }

    /// Reserves coins of the campaign with this code for a user.
    ///
    /// A repeat changes nothing.
    package func claim(
        _ code: String, for user: UserID
    ) async throws(LedgerError) -> Result<Int64, CampaignRefusal> {
        try await reading { try await claims.submit(Claim(code: code, user: user)) }
    }

    /// Frees what claims reserved for any id of a user beyond what was given.
    ///
    /// - Parameter code: why nothing was given, such as the refusal of the grant.
    package func release(_ id: Int64, of user: UserID, because code: String) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(CampaignRuns.finish(id, refused: [(user, code)])) }
    }

    /// Lets a campaign begin that waits for a second person.
    ///
    /// - Returns: whether it waited, and `caller` has not created it.
    package func approve(_ id: Int64, by caller: String) async throws(LedgerError) -> Bool {
        try await change("SELECT approve_campaign($1, $2)", [id, caller])
    }

    /// Pauses a campaign: who has no reserved coins gets none until it is resumed.
    ///
    /// - Returns: whether it was active, or paused by its budget.
    package func pause(_ id: Int64, because reason: String, by caller: String) async throws(LedgerError) -> Bool {
        try await change("SELECT pause_campaign($1, $2, $3)", [id, reason, caller])
    }

    /// Resumes a paused campaign.
    ///
    /// - Returns: whether it was paused.
    package func resume(_ id: Int64, by caller: String) async throws(LedgerError) -> Bool {
        try await change("SELECT pause_campaign($1, NULL, $2)", [id, caller])
    }

    /// Begins to void what is left of a campaign's coins.
    ///
    /// Nothing is given from now on.
    ///
    /// - Returns: whether there is such a campaign.
    package func void(_ id: Int64, because reason: String, by caller: String) async throws(LedgerError) -> Bool {
        try await change("SELECT void_campaign($1, $2, $3)", [id, reason, caller])
    }

    private func change(_ sql: String, _ parameters: PostgresParameters) async throws(LedgerError) -> Bool {
        try await reading { try await pools.writes.run(PostgresQuery<Bool>.one(sql, parameters)) }
    }
}

extension CampaignDraft {
    fileprivate func create(by caller: String, _ needsApproval: Bool) -> PostgresQuery<Int64?> {
        .one(
            "SELECT create_campaign($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            [
                name, coins.count, mostPerUser.count, budget.count, startsAt, endsAt, coinsExpireAt, coinDays, reason,
                note, code, canBeMoved, needsApproval, caller,
            ])
    }
}

extension Campaigns {
    private static func add(
        _ users: [CampaignUser], to id: Int64, _ isDryRun: Bool
    ) -> PostgresQuery<Result<CampaignUsersAdded, CampaignRefusal>> {
        // Zero is no number of coins, and an array has no nil.
        .one(
            """
            SELECT refusal, added, present, added_coins, lacking
            FROM add_campaign_users(
                $1, $2, ARRAY(SELECT NULLIF(coins, 0) FROM unnest($3::int8[]) WITH ORDINALITY AS asked (coins, place)
                    ORDER BY place), $4)
            """,
            [id, users.map(\.user.rawValue), users.map { $0.coins?.count ?? 0 }, isDryRun]
        ) { row in
            if let refusal = try refusal(row[0]) { return .failure(refusal) }
            return .success(
                CampaignUsersAdded(added: try row[1], present: try row[2], coins: try row[3], lacking: try row[4]))
        }
    }

    /// The answer to each claim.
    ///
    /// Their campaigns are locked in the order of their codes, so two processes don't wait for each other in a circle.
    private static func reserve(_ claims: [Claim]) -> PostgresQuery<[Result<Int64, CampaignRefusal>]> {
        PostgresQuery(
            """
            SELECT answer.refusal, answer.campaign
            FROM (
                SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (code, user_id, place)
                ORDER BY code, place
            ) AS asked
            CROSS JOIN LATERAL claim_campaign(asked.code, asked.user_id) AS answer
            ORDER BY asked.place
            """, [claims.map(\.code), claims.map(\.user.rawValue)]
        ) { row in
            if let refusal = try refusal(row[0]) { return .failure(refusal) }
            return .success(try row[1])
        }
    }

    private static func refusal(_ text: String?) throws -> CampaignRefusal? {
        guard let text else { return nil }
        guard let refusal = CampaignRefusal(rawValue: text) else {
            throw UnreadableColumn(column: 0, type: "CampaignRefusal")
        }
        return refusal
    }
}
