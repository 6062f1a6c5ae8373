public import Foundation

/// A request for a refund.
public struct RefundRequest: Codable, Hashable, Sendable {
    /// The number of coins; nil: all refundable coins.
    ///
    /// - Null: refused
    public var coins: Member.Amount?
    /// The reason; the gateway may show it to the buyer.
    ///
    /// With `bank_transfer` a note for finance, without the payer's account.
    public var reason: Member.Text
    /// How the money goes back: the gateway cancels the payment, or finance pays from our bank.
    ///
    /// `bank_transfer` takes the coins at once; the response is `approved`. Nil: `gateway`.
    public var method: Member.RefundMethod?
    /// Why the fee is waived; nil: it is not.
    public var feeWaiver: Member.Text?
    /// The bank account for the money, for payment methods of the gateway that can't return it; not with
    /// `bank_transfer`.
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
    public var bank: Member.Text
    /// The account's number.
    public var number: Member.Text
    /// The name of the account's holder.
    public var holder: Member.Text
    /// The holder's phone number, if the gateway requires one.
    public var phone: Member.Text?

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
    /// The id of the refund.
    public let id: Member.ID
    /// The id of the refunded purchase.
    public let purchaseID: Member.ID
    /// `pending`: the gateway has not decided; `completed`: the money went back; `refused`: the coins are back in the
    /// wallet; `approved`: by bank transfer, not paid yet; `reversed`: not paid, or paid back, and the coins are back
    /// in the wallet.
    ///
    /// - Values: `pending`, `completed`, `refused`, `approved`, `reversed`
    public let status: String
    /// How the money goes back; nil: the service knows only the gateway.
    public let method: Member.RefundMethod?
    /// The number of paid coins that the refund takes, including charged ones.
    public let coins: Int64
    /// The number of bonus coins that the refund takes.
    public let bonusCoins: Int64
    /// The number of paid coins charged for used bonus coins; the payer gets no money for them.
    public let bonusCharged: Int64
    /// The purchase price of the other paid coins, in minor units of the currency; of a payment in a foreign currency, its
    /// worth.
    public let value: Int64
    /// The fee that we keep, in minor units of the currency.
    public let fee: Int64
    /// The rule that set the fee; nil: begun before there were rules.
    public let feeRule: Member.FeeRule?
    /// Why the fee was waived.
    public let feeWaiver: String?
    /// The money that the payer gets, in minor units of the currency.
    public let amount: Int64
    /// The part of `amount` that the gateway is asked to cancel as free of VAT (면세), in minor units of `currency`, or of the
    /// currency of `foreign`; nil: none is sent, because the payment is taxable, nobody tells, or the gateway was not asked yet.
    public let taxFreeAmount: Member.Natural?
    /// The ISO 4217 code of the currency of the books.
    public let currency: Member.Currency
    /// What the payer gets of a payment in a foreign currency; nil if it was in the currency of the books.
    public let foreign: Foreign?
    /// The reason.
    public let reason: String
    /// When the refund was requested.
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

    /// What the payer gets of a payment in a foreign currency.
    public struct Foreign: Codable, Hashable, Sendable {
        /// The money that the payer gets, in minor units of the currency.
        public let amount: Int64
        /// The fee that we keep, in minor units of the currency.
        public let fee: Int64
        /// The currency's ISO 4217 code.
        public let currency: Member.Currency

        /// Creates it from its members.
        public init(amount: Int64, fee: Int64, currency: String) {
            self.amount = amount
            self.fee = fee
            self.currency = currency
        }
    }

    /// The expired coins of a refund.
    public struct Expired: Codable, Hashable, Sendable {
        /// The number of expired paid coins that the refund takes.
        public let coins: Member.ID
        /// The part of the refund's `value` that was paid for them.
        public let value: Int64
        /// The part of the refund's `fee` that we keep of them.
        public let fee: Int64

        /// Creates it from its members.
        public init(coins: Int64, value: Int64, fee: Int64) {
            self.coins = coins
            self.value = value
            self.fee = fee
        }
    }

    /// The gateway's refusal.
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
        case id, status, method, coins, value, fee, amount, currency, reason, refusal, expired, foreign
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
        refusal: GatewayRefusal?, expired: Expired? = nil, taxFreeAmount: Int64? = nil, foreign: Foreign? = nil
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
        self.foreign = foreign
    }
}

/// A refund and the user's balance after it.
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
