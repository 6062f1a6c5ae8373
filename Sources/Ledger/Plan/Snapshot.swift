import CivilTime
import Foundation
import Postgres

/// The rows that a batch of acts may touch, read while the accounts are locked.
struct Snapshot: Sendable {
    /// The ledger's number of stripes.
    let stripes: Int64
    /// The database's time after the accounts were locked.
    var now: Date
    /// The earliest time at which entries may be effective; nil: no period is closed.
    var openFrom: Date?
    /// The order in which lots are used.
    var lotOrdering = LotOrdering.standard
    /// The most lots that an act may change.
    var lotLimits = LotLimits()
    /// What VAT is booked of.
    var vatSettings = VATSettings.off
    /// How the days of lots are counted.
    var coinDays = CoinDays.exact
    /// The existing accounts that the acts may post to or read, each once.
    var accounts: [Account] = []
    /// What the former ids among the acts' users refer to, and the former ids of the others.
    var aliases = UserAliases()
    /// What merges must know, by the former user.
    var merges: [UserID: MergeState] = [:]
    /// Purchases that an act names or that share `imp_uid` or `merchant_uid` with its payment, each once or more.
    var purchases: [Purchase] = []
    /// Hashes of names of payments that an act credits, which users had who were forgotten.
    var forgottenPayments: [PostgresBytes] = []
    /// Lots that an act may take from, each once or more.
    var lots: [Lot] = []
    /// For users of whom only the first lots were read: the last lot read.
    ///
    /// The user may have more.
    var lastLotRead: [UserID: Lot] = [:]
    /// Whether fewer lots were read of ``lastLotRead``'s users than their acts may change, because a batch reads no more.
    var mayLackLots = false
    /// By lot of a grant that an act voids within a limit: the coins that were voided before because somebody asked for it.
    var voided: [Int64: Int64] = [:]
    /// The lots with given coins of purchases that acts may refund.
    var recallable: [RecallableLot] = []
    /// The lots with coins that users may give away, of users who give.
    var giveable: [UserID: [Int64]] = [:]
    /// The lots with given coins of the purchases of ``giveable``, as far as a refund takes them back.
    var givenLots: [Int64: Int64] = [:]
    /// The coins that users gave away, and were given, since the beginning of the day, if there is a limit.
    var givenToday: [UserID: Int64] = [:]
    var receivedToday: [UserID: Int64] = [:]
    /// Holds that an act names.
    var holds: [Hold] = []
    /// The lots of ``holds``, those of each hold in order.
    var holdLots: [HoldLot] = []
    /// Refunds that an act names, and pending refunds of a purchase or payment that it names.
    var refunds: [Refund] = []
    /// Disputes of the purchases that an act names or takes back, with the coins that are frozen of each purchase.
    var disputes: [(dispute: Dispute, frozen: FrozenCoins)] = []
    /// What disputes took that a person booked as lost, of the purchases of which it may come back.
    var losses: [(disputeID: Int64, loss: ClawBackLoss)] = []
    /// What the last claw-backs took of purchases of which a store took a refund back.
    var clawBacks: [(purchaseID: Int64, loss: ClawBackLoss)] = []
    /// When a store last signed that a refund does not stand, of purchases that an act takes back.
    var restoredAt: [Int64: Date] = [:]
    /// Settlement lines that an act names, and booked lines of the same purchases.
    var settlementLines: [SettlementLine] = []
    /// Spends and captures that an act names.
    var redemptions: [Redemption] = []
    /// The terms of providers for whom an act captures, or reverses a capture.
    var terms: [ProviderTerms] = []
    /// Payouts that an act names.
    var payouts: [PayoutState] = []
    /// The last adjustments of subjects that an act names.
    var lastAdjustments: [Adjustment] = []
    var revaluations: [Revaluation] = []
    /// What is open at the ends of months that acts revalue, as far as they are not revalued.
    var revaluationBases: [RevaluationTouch: RevaluationBasis] = [:]
    /// The policies in force in months that an act names.
    var policies: [CivilMonth: PoliciesInForce] = [:]
    /// What campaigns give to users whose acts give it.
    var campaignShares: [CampaignShare] = []
    /// The debts of users whose acts return used or held coins, or pay a debt in won.
    var debts: [UserID: DebtHistory] = [:]
    /// Outcomes recorded under the acts' idempotency keys.
    var recorded: [RecordedOutcome] = []
    /// Ids for new records, at least ``Plan/mostIDs`` for each act.
    var ids = RecordIDs()

    /// Adds the first lots that users spend, at most `limit` of each user.
    mutating func add(firstLots found: [Lot], limit: Int) {
        lots += found
        for (user, lots) in Dictionary(grouping: found, by: \.user) where lots.count == limit {
            lastLotRead[user] = lots.max(by: lotOrdering.precedes)
        }
    }

    /// Adds more of the lots of users whose first lots did not suffice, at most `limit` of each user.
    mutating func add(moreLots found: [Lot], of users: Set<UserID>, limit: Int) {
        for user in users { lastLotRead[user] = nil }
        add(firstLots: found, limit: limit)
    }
}
