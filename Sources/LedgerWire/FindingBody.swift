public import Foundation

/// A finding: a payment that needs a decision by a person, an endpoint that was disabled after five days of failures,
/// too little money in custody for prepaid coins, or an hour in which more moved than a limit allows.
///
/// Only findings about payments have the members of the payment.
public struct FindingBody: Codable, Hashable, Sendable {
    /// The id of the finding.
    public let id: Member.ID
    /// The kind; of several kinds, the most important.
    ///
    /// - Known values: `paid_unclaimed`, `payment_partially_cancelled`, `amount_mismatch`, `currency_mismatch`,
    ///   `price_not_bookable`, `unknown_store_product`, `store_purchase_unconsumed`, `refund_question_unanswered`, `merchant_uid_already_credited`, `order_not_found`,
    ///   `order_expired`, `order_belongs_to_another_user`, `claimed_by_several`, `refund_undecided`, `refunded_twice`, `paid_at_in_future`, `endpoint_failing`,
    ///   `payment_disputed`, `dispute_won_after_loss`, `dispute_unreadable`, `refund_reversed`, `custody_short`,
    ///   `liability_above_limit`, `bonus_above_limit`, `spends_above_limit`
    public let kind: String
    /// All kinds, in the order of discovery.
    ///
    /// - Count: `1...`
    public let kinds: [String]
    /// The gateway of the payment; nil: it is not about a payment.
    public let gateway: Member.Gateway?
    /// The gateway's payment id; nil: it is not about a payment.
    public let impUID: String?
    /// The merchant's payment id; nil: it is not about a payment.
    public let merchantUID: String?
    /// V2's payment id.
    public let paymentID: String?
    /// The id of the endpoint; nil: it is about something else.
    public let endpointID: Member.ID?
    /// The user who presented the receipt or created the order.
    public let user: String?
    /// The user whom the payment's own data names, as the app or the payer wrote it; nil: nobody.
    public let namedUser: String?
    /// The users who presented the payment, the first one first.
    ///
    /// - Count: `...100`
    public let claims: [ClaimBody]
    /// The amount paid, in minor units of the currency; nil: it is not about a payment.
    public let amount: Int64?
    /// The currency's ISO 4217 code; nil: it is not about a payment.
    public let currency: Member.Currency?
    /// When it was paid, by the gateway's clock.
    public let paidAt: Date?
    /// The start of the hour in which more moved than a limit allows; nil: it is about something else.
    public let hour: Date?
    /// What moved in the hour when it was last looked at: coins, or won of `liability_above_limit`; nil without `hour`.
    public let measured: Int64?
    /// The limit; nil without `hour`.
    public let limit: Int64?
    /// When the finding was made.
    public let foundAt: Date
    /// `resolved`: it needs no decision any more.
    ///
    /// - Values: `open`, `resolved`
    public let status: String
    /// Who works on it; nil: nobody.
    public let assignee: String?
    /// When a person or the credit of the payment resolved it.
    public let resolvedAt: Date?
    /// What people did about it, oldest first, the last 100 acts; nil in lists.
    ///
    /// - Count: `...100`
    public let acts: [FindingActBody]?

    private enum CodingKeys: String, CodingKey {
        case id, kind, kinds, gateway, user, claims, amount, currency, hour, measured, limit, status, assignee, acts
        case resolvedAt = "resolved_at"
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case endpointID = "endpoint_id"
        case namedUser = "named_user"
        case paidAt = "paid_at"
        case foundAt = "found_at"
    }

    /// Creates a finding.
    public init(
        id: Int64, kind: String, kinds: [String], gateway: String?, impUID: String?, merchantUID: String?,
        paymentID: String?, endpointID: Int64? = nil, user: String?, namedUser: String? = nil, claims: [ClaimBody],
        amount: Int64?, currency: String?, paidAt: Date?, hour: Date? = nil, measured: Int64? = nil,
        limit: Int64? = nil, foundAt: Date, status: String, assignee: String? = nil, resolvedAt: Date? = nil,
        acts: [FindingActBody]? = nil
    ) {
        self.id = id
        self.kind = kind
        self.kinds = kinds
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.endpointID = endpointID
        self.user = user
        self.namedUser = namedUser
        self.claims = claims
        self.amount = amount
        self.currency = currency
        self.paidAt = paidAt
        self.hour = hour
        self.measured = measured
        self.limit = limit
        self.foundAt = foundAt
        self.status = status
        self.assignee = assignee
        self.resolvedAt = resolvedAt
        self.acts = acts
    }
}

/// What a person did about a finding.
public struct FindingActBody: Codable, Hashable, Sendable {
    /// What was done.
    ///
    /// - Values: `assign`, `unassign`, `note`, `resolve`, `claim`, `refund`
    public let act: String
    /// The caller: `sub` of the token.
    public let by: String
    /// Who works on it, or the user to whom the payment was credited.
    public let whom: String?
    /// The note, or the reason.
    public let reason: String?
    /// When it was done.
    public let actedAt: Date

    private enum CodingKeys: String, CodingKey {
        case act, by, whom, reason
        case actedAt = "acted_at"
    }

    /// Creates an act.
    public init(act: String, by: String, whom: String?, reason: String?, actedAt: Date) {
        self.act = act
        self.by = by
        self.whom = whom
        self.reason = reason
        self.actedAt = actedAt
    }
}

/// A request to assign a finding.
public struct AssignRequest: Codable, Hashable, Sendable {
    /// Who works on it from now on; nil: nobody.
    public var assignee: Member.Text?
    /// What the assignee should know; nil: nothing.
    public var note: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case assignee, note
    }

    /// Creates a request.
    public init(assignee: String?, note: String? = nil) {
        self.assignee = assignee
        self.note = note
    }
}

/// A request to add a note to a finding.
public struct NoteRequest: Codable, Hashable, Sendable {
    /// The note.
    public var text: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case text
    }

    /// Creates a request.
    public init(text: String) { self.text = text }
}

/// A request to resolve a finding.
public struct ResolveRequest: Codable, Hashable, Sendable {
    /// Why it needs no further decision.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }

    /// Creates a request.
    public init(reason: String) { self.reason = reason }
}

/// A request to credit a finding's payment to a user.
public struct ClaimRequest: Codable, Hashable, Sendable {
    /// The user who gets the coins.
    public var user: Member.Owner
    /// Why the payment belongs to the user.
    public var reason: Member.Text
    /// Whether the user is new, so that no record of them is missed; nil: a user without a record is refused.
    ///
    /// - Default: `false`
    public var newUser: Bool?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case user, reason
        case newUser = "new_user"
    }

    /// Creates a request.
    public init(user: String, reason: String, newUser: Bool? = nil) {
        self.user = user
        self.reason = reason
        self.newUser = newUser
    }
}

/// A request to give a finding's payment back at the gateway.
public struct FindingRefundRequest: Codable, Hashable, Sendable {
    /// The reason; the gateway may show it to the buyer.
    public var reason: Member.Text
    /// The bank account for the money, for payment methods of the gateway that can't return it.
    public var account: RefundAccount?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
        case account = "refund_account"
    }

    /// Creates a request.
    public init(reason: String, account: RefundAccount? = nil) {
        self.reason = reason
        self.account = account
    }
}

/// A claim: a user has presented the payment.
public struct ClaimBody: Codable, Hashable, Sendable {
    /// The user who presented it.
    public let user: String
    /// When the user presented it first.
    public let claimedAt: Date

    private enum CodingKeys: String, CodingKey {
        case user
        case claimedAt = "claimed_at"
    }

    /// Creates a claim.
    public init(user: String, claimedAt: Date) {
        self.user = user
        self.claimedAt = claimedAt
    }
}

extension FindingBody: ListedBody {
    /// `findings`.
    public static let listName = "findings"
}
