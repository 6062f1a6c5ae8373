public import Foundation

/// A payment of a comparison.
public struct ReconciliationItemBody: Codable, Hashable, Sendable {
    /// What the gateway says.
    public struct GatewaySide: Codable, Hashable, Sendable {
        /// Where it stands there: `ready`, `paid`, `failed`, `cancelled`, `partially_cancelled`, or another word.
        public let status: String
        /// What was asked of the buyer, in minor units of the currency.
        public let amount: Int64
        /// What of it was cancelled, in minor units of the currency.
        public let cancelledAmount: Int64
        /// The currency's ISO 4217 code.
        public let currency: String
        /// When it was paid.
        public let paidAt: Date?

        private enum CodingKeys: String, CodingKey {
            case status, amount, currency
            case cancelledAmount = "cancelled_amount"
            case paidAt = "paid_at"
        }

        /// Creates it of its members.
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

    /// What the books say.
    public struct BooksSide: Codable, Hashable, Sendable {
        /// The purchase.
        public let purchase: Int64
        /// What it was credited as, in minor units of the currency.
        public let amount: Int64
        /// What of it went back, in minor units of the currency.
        public let refundedAmount: Int64
        /// What a pending refund has the gateway cancel besides, in minor units of the currency.
        public let pendingRefundAmount: Int64?
        /// The currency's ISO 4217 code.
        public let currency: String

        private enum CodingKeys: String, CodingKey {
            case purchase, amount, currency
            case refundedAmount = "refunded_amount"
            case pendingRefundAmount = "pending_refund_amount"
        }

        /// Creates it of its members.
        public init(
            purchase: Int64, amount: Int64, refundedAmount: Int64, pendingRefundAmount: Int64?, currency: String
        ) {
            self.purchase = purchase
            self.amount = amount
            self.refundedAmount = refundedAmount
            self.pendingRefundAmount = pendingRefundAmount
            self.currency = currency
        }
    }

    /// The item's id.
    public let id: Int64
    /// How the two sides compare, such as `matched` or `paid_not_credited`; nil: not compared yet.
    public let kind: String?
    /// What was done about it, such as `credited` or `needs_person`.
    public let outcome: String?
    /// Through which gateway was paid: `portone-v1` or `portone-v2`.
    public let gateway: String
    /// The gateway's name of the payment.
    public let impUID: String
    /// The merchant's name of the payment.
    public let merchantUID: String
    /// V2's name of the payment.
    public let paymentID: String?
    /// What the gateway says; nil: it knows no such payment.
    public let atGateway: GatewaySide?
    /// What the books say; nil: it is not credited.
    public let inBooks: BooksSide?

    private enum CodingKeys: String, CodingKey {
        case id, kind, outcome, gateway
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case atGateway = "at_gateway"
        case inBooks = "in_books"
    }

    /// Creates it of its members.
    public init(
        id: Int64, kind: String?, outcome: String?, gateway: String, impUID: String, merchantUID: String,
        paymentID: String?, atGateway: GatewaySide?, inBooks: BooksSide?
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
    }
}

extension ReconciliationItemBody: ListedBody {
    /// `items`.
    public static let listName = "items"
}
