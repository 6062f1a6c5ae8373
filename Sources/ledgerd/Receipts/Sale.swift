import Ledger
import PGVerifier

/// What a payment may have been for: the coins that it brings, and what they cost.
struct Sale: Sendable, Equatable {
    /// The product's code.
    let product: String
    let price: Price
    let coins: Coins
    /// Coins given on top, if any.
    let bonusCoins: Coins?
    /// Whether an order was made for it, which says whose it is.
    let isOrdered: Bool

    /// A version of a product, bought without an order.
    init(_ product: Product) {
        self.product = product.code
        price = product.price
        coins = product.coins
        bonusCoins = product.bonusCoins
        isOrdered = false
    }

    /// What an order fixed, whatever the product is now.
    init(_ order: Order) {
        product = order.product
        price = order.price
        coins = order.coins
        bonusCoins = order.bonusCoins
        isOrdered = true
    }
}

extension Offer {
    /// A version of a product, as the verdict sees it.
    init(_ product: Product, id: Int64) {
        self.init(
            id: id, price: product.price.amount, currency: product.price.currency.code, activeFrom: product.activeFrom,
            activeUntil: product.activeUntil)
    }
}

extension ExpectedOrder {
    /// An order, as the verdict on a payment sees it.
    ///
    /// One that this very payment was credited for is open to it: the ledger answers with the same purchase.
    init(_ order: Order, payment: GatewayPayment, id: Int64) {
        let isAnothers = order.payment.map { $0.gateway != payment.gateway || $0.impUID != payment.impUID } ?? false
        self.init(
            merchantUID: order.merchantUID, amount: order.price.amount, currency: order.price.currency.code,
            offerID: id, user: order.user.rawValue, expiresAt: order.expiresAt, state: isAnothers ? .credited : .open)
    }
}
