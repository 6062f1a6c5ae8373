public import Foundation

/// A request for a refund.
public struct RefundRequest: Codable, Hashable, Sendable {
    /// The number of coins, at least 1; nil: all refundable coins.
    public var coins: Int64?
    /// The reason.
    public var reason: String
    /// `bank_transfer` if finance pays by bank transfer; nil: the gateway returns the money.
    public var method: String?
    /// Why the fee is waived; nil: it is not.
    public var feeWaiver: String?
    /// The bank account for the money, for payment methods of the gateway that can't return it.
    public var account: RefundAccount?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reason, method
        case feeWaiver = "fee_waiver"
        case account = "refund_account"
    }

    /// Creates a request for a refund.
    public init(
        coins: Int64? = nil, reason: String, method: String? = nil, feeWaiver: String? = nil,
        account: RefundAccount? = nil
    ) {
        self.coins = coins
        self.reason = reason
        self.method = method
        self.feeWaiver = feeWaiver
        self.account = account
    }
}

/// The bank account of a refund.
public struct RefundAccount: Codable, Hashable, Sendable {
    /// The gateway's code of the bank.
    public var bank: String
    /// The account's number.
    public var number: String
    /// The name of the account's holder.
    public var holder: String
    /// The holder's phone number, if the gateway requires one.
    public var phone: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case bank, number, holder
        case phone = "holder_phone"
    }

    /// Creates an account.
    public init(bank: String, number: String, holder: String, phone: String? = nil) {
        self.bank = bank
        self.number = number
        self.holder = holder
        self.phone = phone
    }
}

/// A refund.
public struct RefundBody: Codable, Hashable, Sendable {
    /// The refund's id.
    public let id: Int64
    /// The refunded purchase.
    public let purchaseID: Int64
    /// `pending` (the gateway has not answered), `completed` or `refused`; by bank transfer `approved` (not paid yet),
    /// `completed` or `reversed`.
    public let status: String
    /// `gateway` or `bank_transfer`; nil: the service knows only the gateway.
    public let method: String?
    /// The number of paid coins that the refund takes, including charged ones.
    public let coins: Int64
    /// The number of bonus coins that the refund takes.
    public let bonusCoins: Int64
    /// The number of paid coins charged for used bonus coins; the payer gets no money for them.
    public let bonusCharged: Int64
    /// The purchase price of the other paid coins, in minor units of the currency.
    public let value: Int64
    /// The fee, in minor units of the currency.
    public let fee: Int64
    /// The rule that set the fee: `waived`, `free_days`, `expired`, `percentage` or `minimum`; nil: begun before
    /// there were rules.
    public let feeRule: String?
    /// Why the fee was waived.
    public let feeWaiver: String?
    /// The money that the payer gets, in minor units of the currency.
    public let amount: Int64
    /// The part of the amount that the gateway is asked to cancel as free of VAT, in minor units of the currency; nil:
    /// none is sent.
    public let taxFreeAmount: Int64?
    /// The currency's ISO 4217 code.
    public let currency: String
    /// The reason.
    public let reason: String
    /// When it was requested.
    public let requestedAt: Date
    /// When it was recorded that the money went back.
    public let completedAt: Date?
    /// When the bank paid it, if by bank transfer.
    public let paidAt: Date?
    /// What the bank's statement says of the payment.
    public let bankReference: String?
    /// When the money came back to our bank, if by bank transfer.
    public let repaidAt: Date?
    /// What the bank's statement says of the money that came back.
    public let repaymentReference: String?
    /// Why the gateway refused.
    public let refusal: GatewayRefusal?
    /// The expired ones of the paid coins; nil: none.
    public let expired: Expired?

    /// The expired coins of a refund.
    public struct Expired: Codable, Hashable, Sendable {
        /// The number of expired paid coins that the refund takes.
        public let coins: Int64
        /// The purchase price of those that are not charged.
        public let value: Int64
        /// The part of the fee that is kept of them.
        public let fee: Int64

        /// Creates it from its members.
        public init(coins: Int64, value: Int64, fee: Int64) {
            self.coins = coins
            self.value = value
            self.fee = fee
        }
    }

    /// Why the gateway refused.
    public struct GatewayRefusal: Codable, Hashable, Sendable {
        /// The reason, for people.
        public let reason: String
        /// The gateway's error code.
        public let gatewayCode: String?

        private enum CodingKeys: String, CodingKey {
            case reason
            case gatewayCode = "gateway_code"
        }

        /// Creates a refusal.
        public init(reason: String, gatewayCode: String?) {
            self.reason = reason
            self.gatewayCode = gatewayCode
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, status, method, coins, value, fee, amount, currency, reason, refusal, expired
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
        case repaidAt = "repaid_at"
        case repaymentReference = "repayment_reference"
        case feeRule = "fee_rule"
        case feeWaiver = "fee_waiver"
        case taxFreeAmount = "tax_free_amount"
        case purchaseID = "purchase_id"
        case bonusCoins = "bonus_coins"
        case bonusCharged = "bonus_charged"
        case requestedAt = "requested_at"
        case completedAt = "completed_at"
    }

    /// Creates a refund.
    public init(
        id: Int64, purchaseID: Int64, status: String, method: String? = nil, coins: Int64, bonusCoins: Int64,
        bonusCharged: Int64, value: Int64, fee: Int64, feeRule: String? = nil, feeWaiver: String? = nil,
        amount: Int64, currency: String, reason: String,
        requestedAt: Date, completedAt: Date?, paidAt: Date? = nil, bankReference: String? = nil,
        repaidAt: Date? = nil, repaymentReference: String? = nil,
        refusal: GatewayRefusal?, expired: Expired? = nil, taxFreeAmount: Int64? = nil
    ) {
        self.id = id
        self.purchaseID = purchaseID
        self.status = status
        self.method = method
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.bonusCharged = bonusCharged
        self.value = value
        self.fee = fee
        self.feeRule = feeRule
        self.feeWaiver = feeWaiver
        self.amount = amount
        self.currency = currency
        self.reason = reason
        self.requestedAt = requestedAt
        self.completedAt = completedAt
        self.paidAt = paidAt
        self.bankReference = bankReference
        self.repaidAt = repaidAt
        self.repaymentReference = repaymentReference
        self.refusal = refusal
        self.expired = expired
        self.taxFreeAmount = taxFreeAmount
    }
}

/// The response to a refund.
public struct RefundAnswerBody: Codable, Hashable, Sendable {
    /// The refund in its present state.
    public let refund: RefundBody
    /// The user's balance now.
    public let balance: BalanceBody

    /// Creates the response to a refund.
    public init(refund: RefundBody, balance: BalanceBody) {
        self.refund = refund
        self.balance = balance
    }
}
