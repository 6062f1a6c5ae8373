public import Foundation

/// What a user is about to pay: product, price and coins as they were shown, fixed before the payment window opens.
///
/// Nothing of it ever changes. Where it stands follows from the purchases and the clock.
public struct Order: Sendable, Equatable, Identifiable {
    /// Where an order stands.
    public enum Status: String, Sendable, CaseIterable {
        /// It may be paid.
        case open
        /// Its coins were credited.
        case paid
        /// Its price is kept no longer.
        case expired
    }

    /// The payment that was credited for an order.
    public struct Settlement: Sendable, Equatable {
        /// The purchase.
        public let purchaseID: Int64
        /// The gateway that knows the payment.
        public let gateway: String
        /// The gateway's id of the payment.
        public let impUID: String
    }

    /// Our id of it.
    public let id: Int64
    /// Its name at the gateway, under which it is paid.
    public let merchantUID: String
    /// Who ordered, and gets the coins.
    public let user: UserID
    /// The gateway at which its amount is registered.
    public let gateway: String
    /// The code of the product.
    public let product: String
    /// What is owed.
    public let price: Price
    /// Coins bought.
    public let coins: Coins
    /// Coins given on top, if any.
    public let bonusCoins: Coins?
    /// When it was made.
    public let createdAt: Date
    /// Until when its price is kept.
    public let expiresAt: Date
    /// How it was paid; nil: it was not.
    public let settlement: Settlement?

    /// Where it stands at a moment.
    public func status(at moment: Date) -> Status {
        if settlement != nil { return .paid }
        return moment < expiresAt ? .open : .expired
    }
}

/// An order to be made.
public struct OrderDraft: Sendable, Equatable {
    /// Who orders.
    public let user: UserID
    /// A fresh name for it that nobody can guess.
    public let merchantUID: String
    /// The gateway at which its amount is registered.
    public let gateway: String
    /// What is ordered, at the price and with the coins of this version.
    public let product: Product
    /// For how long the price is kept.
    public let lifetime: Duration
    /// The user's own name for the request, if it has one.
    public let idempotencyKey: IdempotencyKey?

    /// An order to make.
    public init(
        user: UserID, merchantUID: String, gateway: String, product: Product, lifetime: Duration,
        idempotencyKey: IdempotencyKey? = nil
    ) {
        self.user = user
        self.merchantUID = merchantUID
        self.gateway = gateway
        self.product = product
        self.lifetime = lifetime
        self.idempotencyKey = idempotencyKey
    }
}
