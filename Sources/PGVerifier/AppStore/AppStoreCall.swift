/// A call of the App Store Server API, which has limits of its own.
enum AppStoreCall: String, Hashable, Sendable, CaseIterable {
    case payment
    case refunds
    case notifications
    case order
    case finish
    case consumption
    case accountToken = "account_token"
    case test

    /// How many a second the store allows in production, for an app.
    var perSecond: Double {
        switch self {
        case .payment, .notifications, .finish, .consumption: 50
        case .accountToken: 20
        case .refunds, .order: 10
        case .test: 1
        }
    }
}
