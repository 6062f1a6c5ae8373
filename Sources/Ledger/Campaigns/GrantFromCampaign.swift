import Foundation
import Postgres

/// Gives a user the coins of a campaign, once.
///
/// It is booked as a ``Grant``, whose issuer is the campaign's name. The campaign and the user are its key: a repeat finds
/// the grant. The coins are reserved before: see `advance_campaign` and `claim_campaign`.
package struct GrantFromCampaign: UserAct, Equatable {
    package let campaign: Int64
    package var user: UserID

    package init(campaign: Int64, user: UserID) {
        self.campaign = campaign
        self.user = user
    }
}

/// What a campaign gives a user, and has given.
struct CampaignShare: Sendable, Equatable {
    let campaign: Int64
    let user: UserID
    /// Whether the coins are reserved, and the campaign was not voided.
    let isOpen: Bool
    let coins: Int64
    /// The campaign's name.
    let name: String
    let reason: String
    let expiresAt: Date?
    let days: Int64?
    /// The grant, also to another id of the same person; nil: none.
    let entryID: Int64?
    let lotID: Int64?
    let givenCoins: Int64?
}

/// A grant of a campaign.
struct CampaignGrant: Sendable, Equatable {
    let lotID: Int64
    let campaign: Int64
    let user: UserID
    let journalEntryID: Int64
    let coins: Int64

    static let insert = BulkInsert<CampaignGrant>(
        into: "campaign_grant",
        [
            .init("lot_id", \.lotID), .init("campaign_id", \.campaign), .init("user_id", \.user),
            .init("journal_entry_id", \.journalEntryID), .init("coins", \.coins),
        ])
}

// MARK: - Planning

extension GrantFromCampaign {
    package var givesCoins: Bool { true }

    package var touches: Touches {
        Touches(
            systemAccounts: [.coinsPromotions, .deferredRevenue, .revenue], userLots: .ifInDebt, campaign: campaign)
    }

    package func plan(on books: inout Plan) -> Answer<Granted> { books.grantFromCampaign(self) }
}

extension Plan {
    fileprivate mutating func grantFromCampaign(_ act: GrantFromCampaign) -> Answer<Granted> {
        guard let share = campaigns[act.campaign, act.user] else { return .refused(.noSuchCampaign) }
        if let given = share.given(balance: balance(of: act.user)) { return .unchanged(given) }
        guard share.isOpen else { return .refused(.campaignClosed) }
        let expiresAt =
            share.days.map { days in
                coinDays.end(of: CoinExpiry(after: .seconds(days * 86_400), from: recordedAt), from: recordedAt)
            } ?? share.expiresAt
        if let expiresAt, expiresAt <= recordedAt { return .refused(.alreadyExpired) }
        let granted = give(share.coins, to: act.user, because: share.reason, by: share.name, until: expiresAt)
        campaigns.note(granted, of: share)
        return .done(granted)
    }
}

/// A plan's grants of campaigns.
struct PlannedCampaigns: Sendable {
    private struct Place: Hashable {
        let campaign: Int64
        let user: UserID
    }

    private var shares: [Place: CampaignShare]
    /// Grants to insert.
    private(set) var grants: [CampaignGrant] = []

    init(_ shares: [CampaignShare]) {
        self.shares = Dictionary(shares.map { (Place(campaign: $0.campaign, user: $0.user), $0) }) { first, _ in first }
    }

    subscript(campaign: Int64, user: UserID) -> CampaignShare? { shares[Place(campaign: campaign, user: user)] }

    /// Notes a grant.
    ///
    /// Later acts of the batch see it.
    mutating func note(_ granted: Granted, of share: CampaignShare) {
        shares[Place(campaign: share.campaign, user: share.user)] = share.given(by: granted)
        grants.append(
            CampaignGrant(
                lotID: granted.lotID, campaign: share.campaign, user: share.user,
                journalEntryID: granted.journalEntryID, coins: granted.coins))
    }
}

extension CampaignShare {
    fileprivate func given(balance: Balance) -> Granted? {
        guard let entryID, let lotID, let givenCoins else { return nil }
        return Granted(journalEntryID: entryID, lotID: lotID, coins: givenCoins, balance: balance)
    }

    fileprivate func given(by granted: Granted) -> CampaignShare {
        CampaignShare(
            campaign: campaign, user: user, isOpen: isOpen, coins: coins, name: name, reason: reason,
            expiresAt: expiresAt, days: days, entryID: granted.journalEntryID, lotID: granted.lotID,
            givenCoins: granted.coins)
    }
}

extension PlannedCampaigns {
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        touches.campaignUsers.isEmpty ? [] : [CampaignShare.find(touches.campaignUsers).into(\.campaignShares)]
    }

    /// To be written after the movements of lots, of which the database takes what is left.
    var facts: [PostgresQuery<Int>] { PostgresQuery.facts(grants, CampaignGrant.insert) }
}

extension CampaignShare: PostgresReadable {
    /// The shares of users, whose campaigns are not voided before the transaction ends.
    static func find(_ users: [(campaign: Int64, user: UserID)]) -> PostgresQuery<[CampaignShare]> {
        PostgresQuery(
            """
            SELECT campaign_id, user_id, is_open, coins, name, reason, expires_at, days, granted_entry, granted_lot,
                granted_coins
            FROM campaign_shares($1, $2)
            """, [users.map(\.campaign), users.map(\.user.rawValue)]
        ) { row in try row.read() }
    }

    static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> CampaignShare {
        try row.make(at: &column, CampaignShare.init)
    }
}
