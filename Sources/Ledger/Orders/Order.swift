package import Foundation

/// A user's purchase order: product, price and coins, fixed before the payment window opens.
///
/// An order never changes. Its status follows from its purchase and the clock.
package struct Order: Sendable, Equatable, Identifiable {
    /// The status of an order.
    package enum Status: String, Sendable, CaseIterable {
        /// The order can be paid.
        case open
        /// The coins were credited.
        case paid
        /// The order expired: its price is no longer guaranteed.
        case expired
    }

    /// The payment that was credited for an order.
    package struct Payment: Sendable, Equatable {
        package let purchaseID: Int64
        /// The gateway of the payment.
        package let gateway: String
        /// The gateway's payment id.
        package let paymentID: String
    }

    package let id: Int64
    /// The order's name at the gateway.
    package let merchantUID: String
    /// Who ordered and gets the coins.
    package let user: UserID
    /// The gateway at which the amount is registered.
    package let gateway: String
    /// The code of the product.
    package let product: String
    /// The price to pay.
    package let price: AskedPrice
    /// Paid coins, without the bonus.
    package let coins: Coins
    /// Bonus coins; nil: none.
    package let bonusCoins: Coins?
    package let createdAt: Date
    /// When the order expires.
    ///
    /// Its price is guaranteed until then.
    package let expiresAt: Date
    /// The credited payment; nil: the order is not paid.
    package let payment: Payment?
    /// How long the coins live.
    package var lifetimes = ProductLifetimes()
    /// The product's rule of VAT.
    package var vat = VATRule.atUse

    /// The status at a moment.
    package func status(at moment: Date) -> Status {
        if payment != nil { return .paid }
        return moment < expiresAt ? .open : .expired
    }
}

/// An order to create.
package struct OrderDraft: Sendable, Equatable {
    package let user: UserID
    /// A new, unguessable name.
    package let merchantUID: String
    /// The gateway at which the amount is registered.
    package let gateway: String
    /// The product version, with its price and coins.
    package let product: Product
    /// The price to pay.
    package let price: AskedPrice
    /// How long the price is guaranteed.
    package let lifetime: Duration
    /// The request's idempotency key; nil: none.
    package let idempotencyKey: CallerKey?

    /// - Parameter price: nil: the product's price in won.
    package init(
        user: UserID, merchantUID: String, gateway: String, product: Product, price: AskedPrice? = nil,
        lifetime: Duration, idempotencyKey: CallerKey? = nil
    ) {
        self.user = user
        self.merchantUID = merchantUID
        self.gateway = gateway
        self.product = product
        self.price = price ?? .won(product.price)
        self.lifetime = lifetime
        self.idempotencyKey = idempotencyKey
    }
}
