public import Foundation

/// A buyer's dispute of a credited payment.
public struct DisputeBody: Codable, Hashable, Sendable {
    /// The dispute id.
    public let id: Int64
    /// `won`: the money stays with the shop; `lost`: the buyer has the money back.
    ///
    /// - Values: `open`, `won`, `lost`
    public let status: String
    /// The user of the purchase.
    public let user: String
    /// The purchase.
    public let purchaseID: Int64
    /// The gateway of the payment.
    public let gateway: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// The amount paid, in minor units of the currency.
    public let amount: Int64
    /// The part of it that was refunded or taken back.
    public let refundedAmount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// The payment company's id of the dispute; nil: not reported.
    public let gatewayDisputeID: String?
    /// The buyer's reason, in the gateway's words.
    public let reason: String
    /// When it began, by the gateway's clock.
    public let openedAt: Date
    /// When it was recorded.
    public let recordedAt: Date
    /// When it was won or lost; nil: it is open.
    public let decidedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, status, user, gateway, amount, currency, reason
        case purchaseID = "purchase_id"
        case merchantUID = "merchant_uid"
        case refundedAmount = "refunded_amount"
        case gatewayDisputeID = "gateway_dispute_id"
        case openedAt = "opened_at"
        case recordedAt = "recorded_at"
        case decidedAt = "decided_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, status: String, user: String, purchaseID: Int64, gateway: String, merchantUID: String, amount: Int64,
        refundedAmount: Int64, currency: String, gatewayDisputeID: String?, reason: String, openedAt: Date,
        recordedAt: Date, decidedAt: Date?
    ) {
        self.id = id
        self.status = status
        self.user = user
        self.purchaseID = purchaseID
        self.gateway = gateway
        self.merchantUID = merchantUID
        self.amount = amount
        self.refundedAmount = refundedAmount
        self.currency = currency
        self.gatewayDisputeID = gatewayDisputeID
        self.reason = reason
        self.openedAt = openedAt
        self.recordedAt = recordedAt
        self.decidedAt = decidedAt
    }
}

extension DisputeBody: ListedBody {
    /// `disputes`.
    public static let listName = "disputes"
}

/// A person's decision on a dispute.
public struct DisputeDecisionRequest: Codable, Hashable, Sendable {
    /// `won`: the money stays with the shop; `lost`: the buyer has the money back.
    public var outcome: Member.DisputeOutcome
    /// Why, for the books.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case outcome, reason
    }

    /// Creates a decision.
    public init(outcome: String, reason: String) {
        self.outcome = outcome
        self.reason = reason
    }
}

/// The response to a decision on a dispute.
public struct DecidedDisputeBody: Codable, Hashable, Sendable {
    /// The dispute id.
    public let disputeID: Int64
    /// The outcome.
    public let status: Member.DisputeOutcome
    /// Paid coins that were taken back, or are owed; of one that is won after it was lost, those that were given back,
    /// or are owed no more.
    public let coins: Int64
    /// Bonus coins that were taken back, or are owed; or given back likewise.
    public let bonusCoins: Int64
    /// The amount that was taken back, or given back, in won.
    public let amount: Int64
    /// The entry of the claw-back, or of its reversal; nil: nothing was taken or given back.
    public let journalEntryID: Int64?
    /// The user's balance after the decision.
    public let balance: BalanceBody

    private enum CodingKeys: String, CodingKey {
        case status, coins, amount, balance
        case disputeID = "dispute_id"
        case bonusCoins = "bonus_coins"
        case journalEntryID = "journal_entry_id"
    }

    /// Creates it from its members.
    public init(
        disputeID: Int64, status: String, coins: Int64, bonusCoins: Int64, amount: Int64, journalEntryID: Int64?,
        balance: BalanceBody
    ) {
        self.disputeID = disputeID
        self.status = status
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.amount = amount
        self.journalEntryID = journalEntryID
        self.balance = balance
    }
}

/// A dispute, in events.
public struct EventDisputeBody: Codable, Hashable, Sendable {
    /// The dispute id.
    public let id: Int64
    /// The purchase.
    public let purchaseID: Int64
    /// The gateway of the payment.
    public let gateway: String
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// The amount paid, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// The buyer's reason, in the gateway's words.
    public let reason: String
    /// When it began, by the gateway's clock.
    public let openedAt: Date
    /// How it ended; nil: it is open.
    public let outcome: Member.DisputeOutcome?
    /// When it was decided.
    public let decidedAt: Date?
    /// The caller that decided; nil: it followed from the gateway's record of the payment.
    public let decidedBy: String?

    private enum CodingKeys: String, CodingKey {
        case id, gateway, amount, currency, reason, outcome
        case purchaseID = "purchase_id"
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case openedAt = "opened_at"
        case decidedAt = "decided_at"
        case decidedBy = "decided_by"
    }
}
