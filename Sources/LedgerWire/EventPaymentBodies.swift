public import Foundation

// What events of a user's payments are about, as it was then.

/// A credited payment.
public struct EventPurchaseBody: Codable, Hashable, Sendable {
    /// The purchase id.
    public let id: Int64
    /// The gateway of the payment: ``Member/Gateway``.
    public let gateway: String
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// The code of the product.
    public let product: String
    /// The amount paid, in minor units of the currency; of a payment in a foreign currency, its worth at the rate of the
    /// payment.
    public let amount: Int64
    /// The ISO 4217 code of the currency of the books.
    public let currency: String
    /// The number of paid coins.
    public let coins: Int64
    /// The number of bonus coins.
    public let bonusCoins: Int64
    /// When it was paid at the gateway.
    public let paidAt: Date
    /// What was paid in a foreign currency; nil if the payment was in the currency of the books.
    public let foreign: Foreign?

    /// What was paid in a foreign currency.
    public struct Foreign: Codable, Hashable, Sendable {
        /// The amount paid, in minor units of the currency.
        public let amount: Int64
        /// The currency's ISO 4217 code.
        public let currency: String

        /// Creates it from its members.
        public init(amount: Int64, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, amount, currency, coins, foreign
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case bonusCoins = "bonus_coins"
        case paidAt = "paid_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, gateway: String, impUID: String, merchantUID: String, paymentID: String? = nil, product: String,
        amount: Int64, currency: String, coins: Int64, bonusCoins: Int64, paidAt: Date,
        foreign: Foreign? = nil
    ) {
        self.id = id
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.product = product
        self.amount = amount
        self.currency = currency
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.paidAt = paidAt
        self.foreign = foreign
    }
}

/// What was taken back because the payment was cancelled at the gateway.
public struct EventClawBackBody: Codable, Hashable, Sendable {
    /// The cancelled amount, in minor units of the purchase's currency.
    public let amount: Int64
    /// Paid coins that were taken or are owed.
    public let coins: Int64
    /// Bonus coins that were taken or are owed.
    public let bonusCoins: Int64
    /// What was cancelled of a payment in a foreign currency; nil if the payment was in the currency of the books.
    public let foreign: Foreign?

    /// What was cancelled of a payment in a foreign currency.
    public struct Foreign: Codable, Hashable, Sendable {
        /// The cancelled amount, in minor units of the currency.
        public let amount: Int64
        /// The currency's ISO 4217 code.
        public let currency: String

        /// Creates it from its members.
        public init(amount: Int64, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    private enum CodingKeys: String, CodingKey {
        case amount, coins, foreign
        case bonusCoins = "bonus_coins"
    }

    /// Creates it from its members.
    public init(
        amount: Int64, coins: Int64, bonusCoins: Int64, foreign: Foreign? = nil
    ) {
        self.amount = amount
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.foreign = foreign
    }
}

/// A refund.
public struct EventRefundBody: Codable, Hashable, Sendable {
    /// The refund id.
    public let id: Int64
    /// Paid coins to take back, including those charged for used bonus coins.
    public let coins: Int64
    /// Bonus coins to take back.
    public let bonusCoins: Int64
    /// The amount that the payer gets, in minor units of the currency.
    public let amount: Int64
    /// The fee that is kept, in minor units of the currency.
    public let fee: Int64
    /// The ISO 4217 code of the currency of the books.
    public let currency: String
    /// What the payer gets of a payment in a foreign currency; nil if it was in the currency of the books.
    public let foreign: RefundBody.Foreign?
    /// The reason that the caller gave.
    public let reason: String
    /// Why the gateway refused.
    public let refusal: RefundBody.GatewayRefusal?
    /// The gateway's id of the cancellation.
    public let cancellationID: String?
    /// `bank_transfer` if finance pays by bank transfer; nil: the gateway returns the money.
    ///
    /// - Values: `bank_transfer`
    public let method: String?
    /// When the bank paid it.
    public let paidAt: Date?
    /// What the bank's statement says of the payment.
    public let bankReference: String?
    /// When the money came back to our bank.
    public let repaidAt: Date?
    /// What the bank's statement says of the repayment.
    public let repaymentReference: String?

    private enum CodingKeys: String, CodingKey {
        case id, coins, amount, fee, currency, reason, refusal, method, foreign
        case bonusCoins = "bonus_coins"
        case cancellationID = "cancellation_id"
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
        case repaidAt = "repaid_at"
        case repaymentReference = "repayment_reference"
    }

    /// Creates it from its members.
    public init(
        id: Int64, coins: Int64, bonusCoins: Int64, amount: Int64, fee: Int64, currency: String, reason: String,
        refusal: RefundBody.GatewayRefusal? = nil, cancellationID: String? = nil, method: String? = nil,
        paidAt: Date? = nil, bankReference: String? = nil, repaidAt: Date? = nil, repaymentReference: String? = nil,
        foreign: RefundBody.Foreign? = nil
    ) {
        self.id = id
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.amount = amount
        self.fee = fee
        self.currency = currency
        self.reason = reason
        self.refusal = refusal
        self.cancellationID = cancellationID
        self.method = method
        self.paidAt = paidAt
        self.bankReference = bankReference
        self.repaidAt = repaidAt
        self.repaymentReference = repaymentReference
        self.foreign = foreign
    }
}

/// An order.
public struct EventOrderBody: Codable, Hashable, Sendable {
    /// The order id.
    public let id: Int64
    /// The gateway of its payment.
    public let gateway: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// The code of the product.
    public let product: String
    /// The price, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// When it expired.
    public let expiredAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, amount, currency
        case merchantUID = "merchant_uid"
        case expiredAt = "expired_at"
    }
}

/// A receipt that is stored.
public struct EventReceiptBody: Codable, Hashable, Sendable {
    /// The gateway of the payment: ``Member/Gateway``.
    public let gateway: String
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// Why it waits, or why it was refused.
    public let reason: String

    private enum CodingKeys: String, CodingKey {
        case gateway, reason
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
    }
}
