package import Foundation

/// What a user is about to pay: product, price and coins as they were shown, fixed before the payment window opens.
///
/// Nothing of it ever changes. Where it stands follows from the purchases and the clock.
package struct Order: Sendable, Equatable, Identifiable {
    /// Where an order stands.
    package enum Status: String, Sendable, CaseIterable {
        /// It may be paid.
        case open
        /// Its coins were credited.
        case paid
        /// Its price is kept no longer.
        case expired
    }

    /// The payment that was credited for an order.
    package struct Payment: Sendable, Equatable {
        /// The purchase.
        package let purchaseID: Int64
        /// The gateway that knows the payment.
        package let gateway: String
        /// The gateway's id of the payment.
        package let impUID: String
    }

    /// Our id of it.
    package let id: Int64
    /// Its name at the gateway, under which it is paid.
    package let merchantUID: String
    /// Who ordered, and gets the coins.
    package let user: UserID
    /// The gateway at which its amount is registered.
    package let gateway: String
    /// The code of the product.
    package let product: String
    /// What is owed.
    package let price: Price
    /// Coins bought.
    package let coins: Coins
    /// Coins given on top, if any.
    package let bonusCoins: Coins?
    /// When it was made.
    package let createdAt: Date
    /// Until when its price is kept.
    package let expiresAt: Date
    /// How it was paid; nil: it was not.
    package let payment: Payment?

    /// Where it stands at a moment.
    package func status(at moment: Date) -> Status {
        if payment != nil { return .paid }
        return moment < expiresAt ? .open : .expired
    }
}

/// An order to be made.
package struct OrderDraft: Sendable, Equatable {
    /// Who orders.
    package let user: UserID
    /// A fresh name for it that nobody can guess.
    package let merchantUID: String
    /// The gateway at which its amount is registered.
    package let gateway: String
    /// What is ordered, at the price and with the coins of this version.
    package let product: Product
    /// For how long the price is kept.
    package let lifetime: Duration
    /// The user's own name for the request, if it has one.
    package let idempotencyKey: CallerKey?

    /// An order to make.
    package init(
        user: UserID, merchantUID: String, gateway: String, product: Product, lifetime: Duration,
        idempotencyKey: CallerKey? = nil
    ) {
        self.user = user
        self.merchantUID = merchantUID
        self.gateway = gateway
        self.product = product
        self.lifetime = lifetime
        self.idempotencyKey = idempotencyKey
    }
}
