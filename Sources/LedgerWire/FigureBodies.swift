/// What happened in the books day by day.
public struct DailyFiguresBody: Codable, Hashable, Sendable {
    /// The days, oldest first.
    ///
    /// - Count: `...366`
    public let days: [Day]

    /// What was recorded on a day; returned coins and money are subtracted.
    public struct Day: Codable, Hashable, Sendable {
        /// The day.
        public let day: Member.Day
        /// Paid coins issued, less those that refunds and claw-backs took back.
        public let coinsSold: Int64
        /// Bonus coins issued, less those that were taken back.
        public let coinsPromoted: Int64
        /// Coins redeemed, or captured for providers, less those that reversals gave back.
        public let coinsSpent: Int64
        /// Coins expired.
        public let coinsExpired: Int64
        /// Won recognised for spent coins.
        public let revenue: Int64
        /// Won recognised for expired coins.
        public let breakage: Int64
        /// Won kept of refunds.
        public let refundFees: Int64
        /// Won owed to users for unused coins, at the end of the day.
        public let liability: Int64

        private enum CodingKeys: String, CodingKey {
            case day, revenue, breakage, liability
            case coinsSold = "coins_sold"
            case coinsPromoted = "coins_promoted"
            case coinsSpent = "coins_spent"
            case coinsExpired = "coins_expired"
            case refundFees = "refund_fees"
        }

        /// Creates it from its members.
        public init(
            day: String, coinsSold: Int64, coinsPromoted: Int64, coinsSpent: Int64, coinsExpired: Int64,
            revenue: Int64, breakage: Int64, refundFees: Int64, liability: Int64
        ) {
            self.day = day
            self.coinsSold = coinsSold
            self.coinsPromoted = coinsPromoted
            self.coinsSpent = coinsSpent
            self.coinsExpired = coinsExpired
            self.revenue = revenue
            self.breakage = breakage
            self.refundFees = refundFees
            self.liability = liability
        }
    }

    /// Creates it from its members.
    public init(days: [Day]) { self.days = days }
}

/// What was sold of each product, day by day.
public struct SalesBody: Codable, Hashable, Sendable {
    /// The sales, by day and product.
    public let sales: [Sale]

    /// What was sold of a product on a day, by the time of payment.
    public struct Sale: Codable, Hashable, Sendable {
        /// The day.
        public let day: Member.Day
        /// The product's code.
        public let product: String
        /// The currency's ISO 4217 code.
        public let currency: String
        /// The number of purchases.
        public let purchases: Member.Natural
        /// The number of paid coins.
        public let coins: Member.Natural
        /// The number of bonus coins.
        public let bonusCoins: Member.Natural
        /// The amount paid, in minor units of the currency.
        public let amount: Member.Natural
        /// The part of the amount that was refunded until now.
        public let refundedAmount: Member.Natural

        private enum CodingKeys: String, CodingKey {
            case day, product, currency, purchases, coins, amount
            case bonusCoins = "bonus_coins"
            case refundedAmount = "refunded_amount"
        }

        /// Creates it from its members.
        public init(
            day: String, product: String, currency: String, purchases: Int64, coins: Int64, bonusCoins: Int64,
            amount: Int64, refundedAmount: Int64
        ) {
            self.day = day
            self.product = product
            self.currency = currency
            self.purchases = purchases
            self.coins = coins
            self.bonusCoins = bonusCoins
            self.amount = amount
            self.refundedAmount = refundedAmount
        }
    }

    /// Creates it from its members.
    public init(sales: [Sale]) { self.sales = sales }
}
