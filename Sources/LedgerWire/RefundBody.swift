public import Foundation

/// What a service gives back of a purchase, why, and where to.
public struct RefundRequest: Encodable, Hashable, Sendable {
    /// How many coins, 1 at least; nil: all that can be given back.
    public var coins: Int64?
    /// Why.
    public var reason: String
    /// Where the money goes, for ways of payment that it can't go back through.
    public var account: RefundAccount?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reason
        case account = "refund_account"
    }

    /// Gives coins back for the money.
    public init(coins: Int64? = nil, reason: String, account: RefundAccount? = nil) {
        self.coins = coins
        self.reason = reason
        self.account = account
    }
}

/// A bank account to which the money of a refund goes.
public struct RefundAccount: Encodable, Hashable, Sendable {
    /// The bank, as the gateway names it.
    public var bank: String
    /// The account's number.
    public var number: String
    /// Whose it is.
    public var holder: String
    /// The holder's telephone number, where the gateway wants one.
    public var phone: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case bank, number, holder
        case phone = "holder_phone"
    }

    /// Names an account.
    public init(bank: String, number: String, holder: String, phone: String? = nil) {
        self.bank = bank
        self.number = number
        self.holder = holder
        self.phone = phone
    }
}

/// A refund: coins that go for money that goes back.
public struct RefundBody: Codable, Hashable, Sendable {
    /// The refund's id.
    public let id: Int64
    /// What of is given back.
    public let purchaseID: Int64
    /// `pending` (the gateway has not answered), `completed` or `refused`.
    public let status: String
    /// How many bought coins go, those charged among them.
    public let coins: Int64
    /// How many given coins go with them.
    public let bonusCoins: Int64
    /// How many of the bought coins go in place of given ones that were used: nothing is paid for them.
    public let bonusCharged: Int64
    /// What was paid for the other coins, in minor units of the currency.
    public let value: Int64
    /// What is kept of it, in minor units of the currency.
    public let fee: Int64
    /// What goes back, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// Why.
    public let reason: String
    /// When it was asked for.
    public let requestedAt: Date
    /// When the money was given back.
    public let completedAt: Date?
    /// Why the gateway refused.
    public let refusal: GatewayRefusal?

    /// Why the gateway refused.
    public struct GatewayRefusal: Codable, Hashable, Sendable {
        /// The reason, for people.
        public let reason: String
        /// The gateway's own code.
        public let gatewayCode: String?

        private enum CodingKeys: String, CodingKey {
            case reason
            case gatewayCode = "gateway_code"
        }

        /// Creates a refusal of its members.
        public init(reason: String, gatewayCode: String?) {
            self.reason = reason
            self.gatewayCode = gatewayCode
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, status, coins, value, fee, amount, currency, reason, refusal
        case purchaseID = "purchase_id"
        case bonusCoins = "bonus_coins"
        case bonusCharged = "bonus_charged"
        case requestedAt = "requested_at"
        case completedAt = "completed_at"
    }

    /// Creates a refund of its members.
    public init(
        id: Int64, purchaseID: Int64, status: String, coins: Int64, bonusCoins: Int64, bonusCharged: Int64,
        value: Int64, fee: Int64,
        amount: Int64, currency: String, reason: String, requestedAt: Date, completedAt: Date?, refusal: GatewayRefusal?
    ) {
        self.id = id
        self.purchaseID = purchaseID
        self.status = status
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.bonusCharged = bonusCharged
        self.value = value
        self.fee = fee
        self.amount = amount
        self.currency = currency
        self.reason = reason
        self.requestedAt = requestedAt
        self.completedAt = completedAt
        self.refusal = refusal
    }
}

/// A refund, and what the user has after it.
public struct RefundAnswerBody: Codable, Hashable, Sendable {
    /// The refund as it stands.
    public let refund: RefundBody
    /// What the user has now.
    public let balance: BalanceBody

    /// Creates the answer to a refund.
    public init(refund: RefundBody, balance: BalanceBody) {
        self.refund = refund
        self.balance = balance
    }
}
