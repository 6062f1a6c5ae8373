public import Foundation

/// A payment of a reconciliation.
public struct ReconciliationItemBody: Codable, Hashable, Sendable {
    /// The gateway's record of a payment.
    public struct GatewaySide: Codable, Hashable, Sendable {
        /// The status: `ready`, `paid`, `failed`, `cancelled`, `partially_cancelled`, or another text.
        public let status: String
        /// The requested amount, in minor units of the currency.
        public let amount: Int64
        /// The cancelled amount, in minor units of the currency.
        public let cancelledAmount: Int64
        /// The currency's ISO 4217 code.
        public let currency: Member.Currency
        /// When it was paid, by the gateway's clock.
        public let paidAt: Date?

        private enum CodingKeys: String, CodingKey {
            case status, amount, currency
            case cancelledAmount = "cancelled_amount"
            case paidAt = "paid_at"
        }

        /// Creates it from its members.
        public init(
            status: String, amount: Int64, cancelledAmount: Int64, currency: String, paidAt: Date?
        ) {
            self.status = status
            self.amount = amount
            self.cancelledAmount = cancelledAmount
            self.currency = currency
            self.paidAt = paidAt
        }
    }

    /// The books' record of a payment.
    public struct BooksSide: Codable, Hashable, Sendable {
        /// The id of the purchase.
        public let purchase: Member.ID
        /// The credited amount, in minor units of the currency.
        public let amount: Int64
        /// The refunded amount, in minor units of the currency.
        public let refundedAmount: Int64
        /// The part of `refunded_amount` that goes back by bank transfer: it explains why so much less is cancelled at
        /// the gateway; nil: nothing.
        public let transferredAmount: Int64?
        /// The amount of a pending refund, in minor units of the currency.
        public let pendingRefundAmount: Int64?
        /// The currency's ISO 4217 code.
        public let currency: Member.Currency

        private enum CodingKeys: String, CodingKey {
            case purchase, amount, currency
            case refundedAmount = "refunded_amount"
            case transferredAmount = "transferred_amount"
            case pendingRefundAmount = "pending_refund_amount"
        }

        /// Creates it from its members.
        public init(
            purchase: Int64, amount: Int64, refundedAmount: Int64, transferredAmount: Int64? = nil,
            pendingRefundAmount: Int64?, currency: String
        ) {
            self.purchase = purchase
            self.amount = amount
            self.refundedAmount = refundedAmount
            self.transferredAmount = transferredAmount
            self.pendingRefundAmount = pendingRefundAmount
            self.currency = currency
        }
    }

    /// The id of the item.
    public let id: Member.ID
    /// The result of the comparison; nil: not compared yet.
    ///
    /// - Values: `matched`, `paid_not_credited`, `credited_not_paid`, `amount_differs`, `cancelled_not_clawed_back`,
    ///   `refunded_not_cancelled`, `refunded_twice`, `won_not_given_back`, `waiting`, `unreadable`
    public let kind: String?
    /// What was done about a difference.
    ///
    /// - Values: `credited`, `clawed_back`, `receipt_waits`, `needs_person`
    public let outcome: String?
    /// The gateway of the payment.
    public let gateway: Member.Gateway
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// The gateway's record; nil: the gateway does not know the payment.
    public let atGateway: GatewaySide?
    /// The books' record; nil: not credited.
    public let inBooks: BooksSide?
    /// The user of its purchase, or who presented its receipt or ordered it; nil: nobody is known.
    public let user: String?
    /// The id of its finding; nil: it has none.
    public let finding: Member.ID?
    /// Who works on it; nil: nobody.
    public let assignee: String?
    /// The last note; nil: there is none.
    public let note: String?
    /// What people did about the payment in any reconciliation, oldest first, the last 100 acts; nil in lists.
    ///
    /// - Count: `...100`
    public let acts: [DifferenceActBody]?

    private enum CodingKeys: String, CodingKey {
        case id, kind, outcome, gateway, user, finding, assignee, note, acts
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case atGateway = "at_gateway"
        case inBooks = "in_books"
    }

    /// Creates it from its members.
    public init(
        id: Int64, kind: String?, outcome: String?, gateway: String, impUID: String, merchantUID: String,
        paymentID: String?, atGateway: GatewaySide?, inBooks: BooksSide?, user: String? = nil, finding: Int64? = nil,
        assignee: String? = nil, note: String? = nil, acts: [DifferenceActBody]? = nil
    ) {
        self.id = id
        self.kind = kind
        self.outcome = outcome
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.atGateway = atGateway
        self.inBooks = inBooks
        self.user = user
        self.finding = finding
        self.assignee = assignee
        self.note = note
        self.acts = acts
    }
}

/// What a person did about a payment that differs between the gateway and the books.
public struct DifferenceActBody: Codable, Hashable, Sendable {
    /// What was done.
    ///
    /// - Values: `assign`, `unassign`, `note`
    public let act: String
    /// The caller: `sub` of the token; in the console, `console:` and the subject; at a terminal of the server, `terminal:`
    /// and a name.
    public let by: String
    /// Who works on it from then on.
    public let whom: String?
    /// The note.
    public let note: String?
    /// When it was done.
    public let actedAt: Date

    private enum CodingKeys: String, CodingKey {
        case act, by, whom, note
        case actedAt = "acted_at"
    }

    /// Creates an act.
    public init(act: String, by: String, whom: String?, note: String?, actedAt: Date) {
        self.act = act
        self.by = by
        self.whom = whom
        self.note = note
        self.actedAt = actedAt
    }
}

/// A request to record who works on a payment of a reconciliation.
public struct DifferenceAssignRequest: Codable, Hashable, Sendable {
    /// Who works on it from now on; nil: nobody.
    public var assignee: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case assignee }

    /// This person works on it; nil: nobody.
    public init(assignee: String?) { self.assignee = assignee }
}

extension ReconciliationItemBody: ListedBody {
    /// `items`.
    public static let listName = "items"
}
