/// A call of the Play Developer API.
enum GooglePlayCall: String, Hashable, Sendable, CaseIterable {
    case payment
    case product
    case order
    case orders
    case consume
    case acknowledge
    case refund
    case review
    case voided

    /// What Google counts together.
    enum Quota: Hashable, Sendable, CaseIterable {
        case purchases
        case orders
        case voided

        /// How many a second Google allows: 3,000 a minute in each of its groups, and 30 in 30 seconds of voided purchases.
        ///
        /// Of these it allows 6,000 a day, which only sharing them can keep (``GooglePlayVoidedOrders``).
        var perSecond: Double {
            switch self {
            case .purchases, .orders: 50
            case .voided: 1
            }
        }

        /// How many may come at once.
        var burst: Int {
            switch self {
            case .purchases, .orders: 50
            case .voided: 30
            }
        }
    }

    var quota: Quota {
        switch self {
        case .payment, .product, .consume, .acknowledge: .purchases
        case .order, .orders, .refund, .review: .orders
        case .voided: .voided
        }
    }
}
