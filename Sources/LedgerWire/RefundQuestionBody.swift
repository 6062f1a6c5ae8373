public import Foundation

/// A question of a store whether to refund a purchase.
public struct RefundQuestionBody: Codable, Hashable, Sendable {
    /// The question id.
    public let id: Member.ID
    /// The purchase.
    public let purchaseID: Member.ID
    /// The store: the gateway of the purchase.
    public let gateway: String
    /// `unconsented`: the user did not consent until the deadline, so nothing was sent; `unanswered`: the store could not be told until
    /// the deadline; `ended`: the store decided before it was answered.
    ///
    /// - Values: `waiting`, `answered`, `unconsented`, `unanswered`, `ended`
    public let status: String
    /// Why it waits, such as `no_consent` or `gateway_unavailable`, or what came of it.
    public let reason: String
    /// Why the buyer asks, in the store's words; nil: not reported.
    public let storeReason: String?
    /// When the store asked, by its clock.
    public let askedAt: Date
    /// Until when it takes an answer.
    public let deadline: Date
    /// When it is answered, or looked at again; nil: it does not wait.
    public let answersAt: Date?
    /// When it was answered, or ended without an answer; nil: it waits.
    public let decidedAt: Date?
    /// What the store was told, or is told as things are now, that the shop would do; nil: nothing is sent.
    ///
    /// - Values: `grant_full`, `grant_prorated`, `decline`
    public let preference: String?
    /// The used part that it was told, or is told, in thousandths of a percent; nil: it is not told.
    ///
    /// - Range: `0...100000`
    public let percentage: Int64?
    /// What a person chose in place of the rule; nil: nobody did.
    ///
    /// - Values: `grant_full`, `grant_prorated`, `decline`
    public let overruledTo: String?
    /// Who chose it: `sub` of the token, or the person at the console.
    public let overruledBy: String?
    /// Why.
    public let overruledBecause: String?
    /// When.
    public let overruledAt: Date?
    /// What the store did; nil: not known.
    ///
    /// - Values: `refunded`, `declined`
    public let outcome: String?
    /// When it did, by its clock.
    public let outcomeAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, gateway, status, reason, deadline, preference, percentage, outcome
        case purchaseID = "purchase_id"
        case storeReason = "store_reason"
        case askedAt = "asked_at"
        case answersAt = "answers_at"
        case decidedAt = "decided_at"
        case overruledTo = "overruled_to"
        case overruledBy = "overruled_by"
        case overruledBecause = "overruled_because"
        case overruledAt = "overruled_at"
        case outcomeAt = "outcome_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, purchaseID: Int64, gateway: String, status: String, reason: String, storeReason: String?,
        askedAt: Date, deadline: Date, answersAt: Date?, decidedAt: Date?, preference: String?, percentage: Int64?,
        overruledTo: String?, overruledBy: String?, overruledBecause: String?, overruledAt: Date?, outcome: String?,
        outcomeAt: Date?
    ) {
        self.id = id
        self.purchaseID = purchaseID
        self.gateway = gateway
        self.status = status
        self.reason = reason
        self.storeReason = storeReason
        self.askedAt = askedAt
        self.deadline = deadline
        self.answersAt = answersAt
        self.decidedAt = decidedAt
        self.preference = preference
        self.percentage = percentage
        self.overruledTo = overruledTo
        self.overruledBy = overruledBy
        self.overruledBecause = overruledBecause
        self.overruledAt = overruledAt
        self.outcome = outcome
        self.outcomeAt = outcomeAt
    }
}

/// What became of a purchase's paid coins, and what its store asked about a refund.
public struct PurchaseRefundQuestionsBody: Codable, Hashable, Sendable {
    /// The purchase.
    public let purchaseID: Member.ID
    /// The paid coins of the purchase that did not go back.
    public let coins: Member.Natural
    /// Those of them that were used; expired ones were not.
    public let usedCoins: Member.Natural
    /// Those of them that are in a wallet or on hold.
    public let unusedCoins: Member.Natural
    /// Those of them that expired.
    public let expiredCoins: Member.Natural
    /// The used part, in thousandths of a percent.
    ///
    /// - Range: `0...100000`
    public let percentage: Int64
    /// Whether the user lets the store be told how the coins were used; nil: the user was not asked.
    public let consents: Bool?
    /// The last 20 questions, newest first.
    public let refundQuestions: [RefundQuestionBody]

    private enum CodingKeys: String, CodingKey {
        case coins, percentage, consents
        case purchaseID = "purchase_id"
        case usedCoins = "used_coins"
        case unusedCoins = "unused_coins"
        case expiredCoins = "expired_coins"
        case refundQuestions = "refund_questions"
    }

    /// Creates it from its members.
    public init(
        purchaseID: Int64, coins: Int64, usedCoins: Int64, unusedCoins: Int64, expiredCoins: Int64, percentage: Int64,
        consents: Bool?, refundQuestions: [RefundQuestionBody]
    ) {
        self.purchaseID = purchaseID
        self.coins = coins
        self.usedCoins = usedCoins
        self.unusedCoins = unusedCoins
        self.expiredCoins = expiredCoins
        self.percentage = percentage
        self.consents = consents
        self.refundQuestions = refundQuestions
    }
}

/// A person's choice of what a store is told.
public struct RefundQuestionOverruleRequest: Codable, Hashable, Sendable {
    /// What the shop would do.
    ///
    /// - Values: `grant_full`, `grant_prorated`, `decline`
    public var preference: String
    /// Why, for those who read it later.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case preference, reason
    }

    /// Creates a choice.
    public init(preference: String, reason: String) {
        self.preference = preference
        self.reason = reason
    }
}

/// Whether a user lets stores be told how the coins were used that were bought there.
public struct StoreConsentBody: Codable, Hashable, Sendable {
    /// The user.
    public let user: String
    /// The user's last word.
    public let consents: Bool
    /// The caller who stored it: `sub` of the token.
    public let setBy: String
    /// When it was stored.
    public let setAt: Date

    private enum CodingKeys: String, CodingKey {
        case user, consents
        case setBy = "set_by"
        case setAt = "set_at"
    }

    /// Creates it from its members.
    public init(user: String, consents: Bool, setBy: String, setAt: Date) {
        self.user = user
        self.consents = consents
        self.setBy = setBy
        self.setAt = setAt
    }
}

/// A user's word whether stores may be told how the coins were used that were bought there.
public struct StoreConsentRequest: Codable, Hashable, Sendable {
    /// Whether they may.
    public var consents: Bool

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case consents
    }

    /// Creates a word.
    public init(consents: Bool) {
        self.consents = consents
    }
}
