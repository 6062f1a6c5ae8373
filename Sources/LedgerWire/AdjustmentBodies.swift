public import Foundation

/// A request to set an accounting policy.
public struct AccountingPolicyRequest: Codable, Hashable, Sendable {
    /// Of breakage `at_expiry` or `expected_pattern`; of bonus coins `none` or `relative_price`.
    public var method: Member.PolicyMethod
    /// Required for `expected_pattern`: of 1,000 paid coins, those that are expected to stay unused.
    ///
    /// - Range: `1...999`
    public var expected: Int64?
    /// Of `expected_pattern`: those that are highly probable to stay unused; nil: as many as `expected`.
    ///
    /// - Range: `0...999`
    public var highlyProbable: Int64?
    /// Of `relative_price`: the price of a bonus coin, if that of a paid coin is 1,000; nil: the same.
    ///
    /// - Range: `1...10000`
    public var bonusPrice: Int64?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case method, expected
        case highlyProbable = "highly_probable"
        case bonusPrice = "bonus_price"
    }

    /// Creates a request to set a policy.
    public init(method: String, expected: Int64? = nil, highlyProbable: Int64? = nil, bonusPrice: Int64? = nil) {
        self.method = method
        self.expected = expected
        self.highlyProbable = highlyProbable
        self.bonusPrice = bonusPrice
    }
}

/// How breakage or bonus coins are accounted for from a month on.
public struct AccountingPolicyBody: Codable, Hashable, Sendable {
    /// The id of the policy.
    public let id: Member.ID
    /// What the policy is about.
    public let subject: Member.Subject
    /// The first month to which it applies.
    public let month: Member.Month
    /// Of breakage `at_expiry` or `expected_pattern`, of bonus coins `none` or `relative_price`.
    public let method: Member.PolicyMethod
    /// Of 1,000 paid coins, those that are expected to stay unused.
    public let expected: Int64?
    /// Of 1,000 paid coins, those that are highly probable to stay unused.
    public let highlyProbable: Int64?
    /// The price of a bonus coin, if that of a paid coin is 1,000.
    public let bonusPrice: Int64?
    /// Who set it.
    public let setBy: String
    /// When it was set.
    public let setAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, subject, month, method, expected
        case highlyProbable = "highly_probable"
        case bonusPrice = "bonus_price"
        case setBy = "set_by"
        case setAt = "set_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, subject: String, month: String, method: String, expected: Int64?, highlyProbable: Int64?,
        bonusPrice: Int64?, setBy: String, setAt: Date
    ) {
        self.id = id
        self.subject = subject
        self.month = month
        self.method = method
        self.expected = expected
        self.highlyProbable = highlyProbable
        self.bonusPrice = bonusPrice
        self.setBy = setBy
        self.setAt = setAt
    }
}

extension AccountingPolicyBody: ListedBody {
    /// `policies`.
    public static let listName = "policies"
}

/// A request to book the adjustment of a month.
public struct AdjustmentRequest: Codable, Hashable, Sendable {
    /// What to adjust.
    public var subject: Member.Subject
    /// The month, in the service's time zone.
    public var month: Member.Month

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case subject, month }

    /// Creates a request to book an adjustment.
    public init(subject: String, month: String) {
        self.subject = subject
        self.month = month
    }
}

/// An adjustment at the end of a month.
public struct AdjustmentBody: Codable, Hashable, Sendable {
    /// The id of the adjustment.
    public let id: Member.ID
    /// What was adjusted.
    public let subject: Member.Subject
    /// The month.
    public let month: Member.Month
    /// The balance of the adjusted account afterwards, in won.
    public let target: Int64
    /// What the balance changed by, in won; 0: nothing was posted.
    public let amount: Int64
    /// The entry; nil: nothing was posted.
    public let journalEntryID: Member.ID?
    /// The policy that it follows; nil: none, so it takes back what was booked before.
    public let policyID: Member.ID?
    /// Who booked it.
    public let adjustedBy: String
    /// When it was booked.
    public let recordedAt: Date
    /// What it comes from, by month of sale; nil: in lists.
    public let cohorts: [AdjustmentCohortBody]?

    private enum CodingKeys: String, CodingKey {
        case id, subject, month, target, amount, cohorts
        case journalEntryID = "journal_entry_id"
        case policyID = "policy_id"
        case adjustedBy = "adjusted_by"
        case recordedAt = "recorded_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, subject: String, month: String, target: Int64, amount: Int64, journalEntryID: Int64?,
        policyID: Int64?, adjustedBy: String, recordedAt: Date, cohorts: [AdjustmentCohortBody]? = nil
    ) {
        self.id = id
        self.subject = subject
        self.month = month
        self.target = target
        self.amount = amount
        self.journalEntryID = journalEntryID
        self.policyID = policyID
        self.adjustedBy = adjustedBy
        self.recordedAt = recordedAt
        self.cohorts = cohorts
    }
}

extension AdjustmentBody: ListedBody {
    /// `adjustments`.
    public static let listName = "adjustments"
}

/// The purchases of a month, in won: `sold` is the sum of `refunded`, `used`, `expired` and `deferred`.
///
/// Of breakage under relative prices, all are of the part of paid coins.
public struct AdjustmentCohortBody: Codable, Hashable, Sendable {
    /// The month in which they were paid.
    public let soldIn: Member.Month
    /// Their number.
    public let purchases: Member.Natural
    /// What was paid.
    public let sold: Int64
    /// Given back, with the fees that were kept.
    public let refunded: Int64
    /// Recognised for coins that were used.
    public let used: Int64
    /// Recognised for coins that expired.
    public let expired: Int64
    /// Deferred for coins that are left.
    public let deferred: Int64
    /// What is to be deferred for paid and bonus coins by relative price; nil for breakage.
    public let allocated: Int64?
    /// Its part of the adjustment's target.
    public let target: Int64

    private enum CodingKeys: String, CodingKey {
        case purchases, sold, refunded, used, expired, deferred, allocated, target
        case soldIn = "sold_in"
    }

    /// Creates it from its members.
    public init(
        soldIn: String, purchases: Int64, sold: Int64, refunded: Int64, used: Int64, expired: Int64, deferred: Int64,
        allocated: Int64?, target: Int64
    ) {
        self.soldIn = soldIn
        self.purchases = purchases
        self.sold = sold
        self.refunded = refunded
        self.used = used
        self.expired = expired
        self.deferred = deferred
        self.allocated = allocated
        self.target = target
    }
}

/// The preview of a month's adjustment.
public struct AdjustmentPreviewBody: Codable, Hashable, Sendable {
    /// What would be adjusted.
    public let subject: Member.Subject
    /// The month.
    public let month: Member.Month
    /// The policy of the month; nil: none.
    public let policy: AccountingPolicyBody?
    /// The balance of the adjusted account as booked, in won.
    public let booked: Int64
    /// The balance afterwards.
    public let target: Int64
    /// What would be posted.
    public let amount: Int64
    /// The won whose coins expired, of each ₩1,000 that were not given back.
    ///
    /// Only a month of sale that has no coins left counts; nil: there is none.
    ///
    /// - Range: `0...1000`
    public let observedBreakage: Int64?
    /// What it comes from, by month of sale.
    public let cohorts: [AdjustmentCohortBody]

    private enum CodingKeys: String, CodingKey {
        case subject, month, policy, booked, target, amount, cohorts
        case observedBreakage = "observed_breakage"
    }

    /// Creates it from its members.
    public init(
        subject: String, month: String, policy: AccountingPolicyBody?, booked: Int64, target: Int64,
        observedBreakage: Int64?, cohorts: [AdjustmentCohortBody]
    ) {
        self.subject = subject
        self.month = month
        self.policy = policy
        self.booked = booked
        self.target = target
        self.amount = target - booked
        self.observedBreakage = observedBreakage
        self.cohorts = cohorts
    }
}
