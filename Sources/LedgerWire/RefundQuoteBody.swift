public import Foundation

/// The preview of a refund.
public struct RefundQuoteBody: Codable, Hashable, Sendable {
    /// The id of the purchase.
    public let purchaseID: Member.ID
    /// The number of paid coins that the refund would take, including charged ones.
    public let coins: Int64
    /// The number of bonus coins that the refund would take.
    public let bonusCoins: Int64
    /// The number of paid coins that would be charged for used bonus coins; the payer gets no money for them.
    public let bonusCharged: Int64
    /// The purchase price of the other paid coins, in minor units of the currency; of a payment in a foreign currency, its
    /// worth.
    public let value: Int64
    /// The fee that we would keep, in minor units of the currency.
    public let fee: Int64
    /// The rule that would set the fee; nil: the service has no rules.
    public let feeRule: Member.FeeRule?
    /// The money that the payer would get, in minor units of the currency.
    public let amount: Int64
    /// The ISO 4217 code of the currency of the books.
    public let currency: Member.Currency
    /// What the payer would get of a payment in a foreign currency; nil if it was in the currency of the books.
    public let foreign: RefundBody.Foreign?
    /// The number of unused paid coins of the purchase, also of those that were given to other users.
    public let unusedCoins: Int64
    /// The number of coins that would come back from other users, who were given them; nil: none.
    public let givenCoins: Int64?
    /// The expired paid coins of the purchase that can be refunded; nil: none.
    ///
    /// Unused coins are taken first.
    public let expired: Expired?
    /// Whether the refund is possible.
    public let isRefundable: Bool
    /// The problem code of a refusal.
    public let reason: ProblemCode?

    /// The expired paid coins of a purchase.
    public struct Expired: Codable, Hashable, Sendable {
        /// The number of expired coins that can be refunded.
        public let refundableCoins: Member.ID
        /// What the payer gets, in percent of the price of these coins.
        ///
        /// - Range: `1...100`
        public let percent: Int64
        /// When they can't be refunded any more.
        public let until: Date
        /// The number of expired coins that the refund would take: unused coins are taken first.
        public let coins: Int64
        /// The part of the quote's `value` that was paid for them.
        public let value: Int64
        /// The part of the quote's `fee` that we would keep of them.
        public let fee: Int64

        private enum CodingKeys: String, CodingKey {
            case percent, until, coins, value, fee
            case refundableCoins = "refundable_coins"
        }

        /// Creates it from its members.
        public init(refundableCoins: Int64, percent: Int64, until: Date, coins: Int64, value: Int64, fee: Int64) {
            self.refundableCoins = refundableCoins
            self.percent = percent
            self.until = until
            self.coins = coins
            self.value = value
            self.fee = fee
        }
    }

    private enum CodingKeys: String, CodingKey {
        case coins, value, fee, amount, currency, reason, expired, foreign
        case purchaseID = "purchase_id"
        case bonusCoins = "bonus_coins"
        case bonusCharged = "bonus_charged"
        case feeRule = "fee_rule"
        case unusedCoins = "unused_coins"
        case givenCoins = "given_coins"
        case isRefundable = "refundable"
    }

    /// Creates a preview.
    public init(
        purchaseID: Int64, coins: Int64, bonusCoins: Int64, bonusCharged: Int64, value: Int64, fee: Int64,
        feeRule: String? = nil, amount: Int64,
        currency: String, unusedCoins: Int64, givenCoins: Int64? = nil, expired: Expired? = nil, isRefundable: Bool,
        reason: ProblemCode?, foreign: RefundBody.Foreign? = nil
    ) {
        self.purchaseID = purchaseID
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.bonusCharged = bonusCharged
        self.value = value
        self.fee = fee
        self.feeRule = feeRule
        self.amount = amount
        self.currency = currency
        self.unusedCoins = unusedCoins
        self.givenCoins = givenCoins
        self.expired = expired
        self.isRefundable = isRefundable
        self.reason = reason
        self.foreign = foreign
    }
}
