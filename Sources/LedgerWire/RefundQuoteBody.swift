/// What a refund would come to.
public struct RefundQuoteBody: Codable, Hashable, Sendable {
    /// What would be given back of.
    public let purchaseID: Int64
    /// How many bought coins would go, those charged among them.
    public let coins: Int64
    /// How many given coins would go with them.
    public let bonusCoins: Int64
    /// How many of the bought coins would go in place of given ones that were used: nothing is paid for them.
    public let bonusCharged: Int64
    /// What was paid for the other coins, in minor units of the currency.
    public let value: Int64
    /// What would be kept of it, in minor units of the currency.
    public let fee: Int64
    /// What would go back, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// How many of the purchase's bought coins are not used.
    public let unusedCoins: Int64
    /// Whether it would be done.
    public let isRefundable: Bool
    /// The code of the problem that it would be refused with.
    public let reason: ProblemCode?

    private enum CodingKeys: String, CodingKey {
        case coins, value, fee, amount, currency, reason
        case purchaseID = "purchase_id"
        case bonusCoins = "bonus_coins"
        case bonusCharged = "bonus_charged"
        case unusedCoins = "unused_coins"
        case isRefundable = "refundable"
    }

    /// Creates a quote of its members.
    public init(
        purchaseID: Int64, coins: Int64, bonusCoins: Int64, bonusCharged: Int64, value: Int64, fee: Int64,
        amount: Int64,
        currency: String, unusedCoins: Int64, isRefundable: Bool, reason: ProblemCode?
    ) {
        self.purchaseID = purchaseID
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.bonusCharged = bonusCharged
        self.value = value
        self.fee = fee
        self.amount = amount
        self.currency = currency
        self.unusedCoins = unusedCoins
        self.isRefundable = isRefundable
        self.reason = reason
    }
}
