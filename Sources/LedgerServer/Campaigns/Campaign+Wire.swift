package import Ledger
package import LedgerWire

/// The request of a campaign.
struct CampaignRequestBody: Decodable {
    /// The longest lifetime of coins.
    private static let mostDays: Int64 = 36_500

    let name: NonEmpty
    let coins: CoinCount
    let mostPerUser: CoinCount?
    let budget: CoinCount
    let startsAt: TimeMember?
    let endsAt: TimeMember?
    let coinsExpireAt: TimeMember?
    let coinDays: Int64?
    let reason: NonEmpty
    let note: NonEmpty?
    let code: NonEmpty?
    let canBeMoved: Bool?

    typealias CodingKeys = CampaignRequest.CodingKeys

    /// - Throws: `invalid_request`.
    var draft: CampaignDraft {
        get throws(Problem) {
            if let coinDays, !(1...Self.mostDays).contains(coinDays) {
                throw .invalid(pointer: "/coin_days", "/coin_days must be from 1 to \(Self.mostDays)")
            }
            return CampaignDraft(
                name: name.value, coins: coins.coins, mostPerUser: mostPerUser?.coins ?? coins.coins,
                budget: budget.coins, startsAt: startsAt?.date, endsAt: endsAt?.date,
                coinsExpireAt: coinsExpireAt?.date, coinDays: coinDays, reason: reason.value, note: note?.value,
                code: code?.value, canBeMoved: canBeMoved ?? false)
        }
    }
}

/// The request that adds users.
struct CampaignUsersRequestBody: Decodable {
    struct User: Decodable {
        let user: AccountOwner
        let coins: CoinCount?

        typealias CodingKeys = CampaignUserRequest.CodingKeys
    }

    let users: [User]
    let dryRun: Bool?

    typealias CodingKeys = CampaignUsersRequest.CodingKeys
}

/// The request of a pause or a void.
struct CampaignStopRequestBody: Decodable {
    let reason: NonEmpty

    typealias CodingKeys = CampaignStopRequest.CodingKeys
}

/// The request of a claim.
struct CampaignClaimRequestBody: Decodable {
    let code: NonEmpty

    typealias CodingKeys = CampaignClaimRequest.CodingKeys
}

extension CampaignBody {
    package init(_ campaign: Campaign) {
        let (terms, progress) = (campaign.terms, campaign.progress)
        self.init(
            id: campaign.id, name: campaign.name, status: campaign.status.rawValue,
            statusReason: campaign.statusReason, coins: terms.coins, mostPerUser: terms.mostPerUser,
            budget: terms.budget, startsAt: terms.startsAt, endsAt: terms.endsAt, coinsExpireAt: terms.coinsExpireAt,
            coinDays: terms.coinDays, reason: terms.reason, note: terms.note, code: terms.code,
            canBeMoved: terms.canBeMoved, createdBy: campaign.createdBy, createdAt: campaign.createdAt,
            approvedBy: campaign.approvedBy, changedBy: campaign.changedBy,
            progress: Progress(
                listed: progress.listed, waiting: progress.listed - progress.done, users: progress.users,
                refused: progress.refused),
            costs: Costs(
                given: progress.given, used: progress.used, expired: progress.expired, voided: progress.voided,
                open: progress.remaining, toGive: campaign.toGive,
                expected: progress.expectedUse(of: progress.remaining + campaign.toGive)))
    }
}

extension CampaignUsersBody {
    package init(_ added: CampaignUsersAdded, isDryRun: Bool) {
        self.init(
            added: added.added, present: added.present, coins: added.coins, lacking: added.lacking, dryRun: isDryRun)
    }
}

extension CampaignClaimBody {
    init(_ campaign: Campaign, _ granted: Granted) {
        self.init(
            campaignID: campaign.id, note: campaign.terms.note,
            grant: GrantBody.Act(journalEntryID: granted.journalEntryID, lotID: granted.lotID, coins: granted.coins),
            balance: BalanceBody(granted.balance))
    }
}
