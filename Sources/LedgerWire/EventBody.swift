public import Foundation

/// Something that happened.
///
/// It is the same whenever it is read.
public struct EventBody: Codable, Hashable, Sendable {
    /// The number of the event: 1, 2, 3, … without gaps.
    public let seq: Member.ID
    /// What happened, such as `purchase.credited`.
    public let type: String
    /// The version of the body: 1.
    ///
    /// Members may be added to a version.
    public let version: Int64
    /// When it was written.
    public let recordedAt: Date
    /// Whose coins or receipt it is about; nil: nobody's.
    public let user: String?
    /// What the event tells.
    public let data: EventDataBody

    private enum CodingKeys: String, CodingKey {
        case seq, type, version, user, data
        case recordedAt = "recorded_at"
    }

    /// Creates it from its members.
    public init(
        seq: Int64, type: String, version: Int64, recordedAt: Date, user: String? = nil, data: EventDataBody
    ) {
        self.seq = seq
        self.type = type
        self.version = version
        self.recordedAt = recordedAt
        self.user = user
        self.data = data
    }
}

/// What an event tells; each type has its own members.
public struct EventDataBody: Codable, Hashable, Sendable {
    /// The journal entry.
    public var journalEntryID: Int64?
    /// When it happened, for the books.
    public var effectiveAt: Date?
    /// The reason that the caller gave.
    public var reason: String?
    /// The caller's reference, such as an order number.
    public var reference: String?
    /// What it did to the user's coins.
    public var change: CoinChangeBody?
    /// The user's balance after it.
    public var balance: BalanceBody?
    /// The lots that the coins came from, at most 1,000.
    ///
    /// - Count: `...1000`
    public var lots: [LotUseBody]?
    /// The number of lots, if there are more than 1,000.
    public var lotCount: Int64?
    /// The path of the list of all lots, if there are more than 1,000.
    public var allLots: String?
    /// The credited payment.
    public var purchase: EventPurchaseBody?
    /// What a claw-back took back.
    public var clawBack: EventClawBackBody?
    /// The hold.
    public var hold: EventHoldBody?
    /// The refund.
    public var refund: EventRefundBody?
    /// The lot that was granted, or that expired.
    public var lot: EventLotBody?
    /// The coins that went from one user to another.
    public var gift: EventGiftBody?
    /// What came back of a spend or capture.
    public var reversal: EventReversalBody?
    /// The payment of a debt.
    public var debtPayment: EventDebtPaymentBody?
    /// The threshold that the user's available coins crossed.
    public var crossing: EventCrossingBody?
    /// The merge into the user.
    public var merge: EventMergeBody?
    /// The consent to automatic top-up, and the charge of it.
    public var topUp: EventTopUpBody?
    /// The campaign.
    public var campaign: EventCampaignBody?
    /// The request by which the user was forgotten.
    public var forgetting: EventForgettingBody?
    /// The gateway's payout of a payment.
    public var settlement: EventSettlementBody?
    /// The dispute.
    public var dispute: EventDisputeBody?
    /// The payout to providers.
    public var payout: EventPayoutBody?
    /// What a provider paid back of a claim.
    public var repayment: EventRepaymentBody?
    /// The adjustment at the end of a month.
    public var adjustment: EventAdjustmentBody?
    /// The revaluation of a foreign currency at the end of a month.
    public var revaluation: EventRevaluationBody?
    /// The order.
    public var order: EventOrderBody?
    /// The receipt.
    public var receipt: EventReceiptBody?
    /// The finding.
    public var finding: EventFindingBody?
    /// The reconciliation.
    public var reconciliation: EventReconciliationBody?
    /// The closed period.
    public var period: EventPeriodBody?
    /// The seal.
    public var seal: EventSealBody?
    /// The endpoint.
    public var endpoint: EventEndpointBody?

    private enum CodingKeys: String, CodingKey {
        case reason, reference, change, balance, lots, purchase, hold, refund, lot, gift, reversal, crossing, campaign,
            merge,
            forgetting, settlement, payout, repayment, dispute, adjustment, revaluation, order, receipt, finding,
            reconciliation,
            period, seal,
            endpoint
        case journalEntryID = "journal_entry_id"
        case effectiveAt = "effective_at"
        case topUp = "top_up"
        case clawBack = "claw_back"
        case lotCount = "lot_count"
        case allLots = "all_lots"
        case debtPayment = "debt_payment"
    }

    /// Creates it without members.
    public init() {}
}

/// What an event did to a user's coins: positive for more, negative for fewer.
public struct CoinChangeBody: Codable, Hashable, Sendable {
    /// Paid coins in the wallet.
    public let paid: Int64
    /// Bonus coins in the wallet.
    public let bonus: Int64
    /// Coins on hold.
    public let held: Int64
    /// Coins that the user owes.
    public let debt: Int64

    /// Creates it from its members.
    public init(
        paid: Int64, bonus: Int64, held: Int64, debt: Int64
    ) {
        self.paid = paid
        self.bonus = bonus
        self.held = held
        self.debt = debt
    }
}

/// A part of the list of events.
public struct EventPageBody: Codable, Hashable, Sendable {
    /// The events, in order.
    ///
    /// - Count: `...1000`
    public let events: [EventBody]
    /// The number after which the next page begins.
    ///
    /// With filters it can be higher than the last event's.
    public let next: Int64
    /// Whether there may be more events already.
    public let hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case events, next
        case hasMore = "has_more"
    }

    /// Creates it from its members.
    public init(
        events: [EventBody], next: Int64, hasMore: Bool
    ) {
        self.events = events
        self.next = next
        self.hasMore = hasMore
    }
}
