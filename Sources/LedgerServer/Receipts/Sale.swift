import Ledger
import PGVerifier

/// A possible sale of a payment: a product with its price and coins.
struct Sale: Hashable, Sendable {
    /// The product's code.
    let product: String
    /// What was paid, or its worth if that was in a foreign currency; nil: a store sold it for nothing, so that all its coins are
    /// bonus coins.
    let price: Price?
    /// What was paid in a foreign currency; nil: it was won, or nothing.
    let foreign: ForeignPayment?
    let coins: Coins
    let bonusCoins: Coins?
    /// How long the coins live.
    let lifetimes: ProductLifetimes
    /// The rule of VAT.
    let vat: VATRule
    /// Whether it is an order's sale; then the order determines the user.
    let isOrdered: Bool

    /// The sale of a product without an order.
    init(_ product: Product) {
        self.product = product.code
        price = product.price
        foreign = nil
        coins = product.coins
        bonusCoins = product.bonusCoins
        lifetimes = product.lifetimes
        vat = product.vat
        isOrdered = false
    }

    /// The sale of some pieces of a product in a store, at the price that was paid there, in whatever currency if that is nothing;
    /// nil: its currency has no rate, or the books have no such price.
    ///
    /// The stores do not let what is bought in them expire.
    ///
    /// - Parameter rate: of a payment in a foreign currency.
    init?(_ product: Product, times quantity: Int64, paid payment: GatewayPayment, at rate: Rate?) {
        let worth = Self.worth(of: payment.amount, in: payment.currency, at: rate)
        guard worth != nil || payment.isFree,
            let coins = Coins(product.coins.count.multipliedReportingOverflow(by: quantity))
        else { return nil }
        self.product = product.code
        price = worth?.price
        foreign = worth?.foreign
        self.coins = coins
        bonusCoins = product.bonusCoins.flatMap { Coins($0.count.multipliedReportingOverflow(by: quantity)) }
        lifetimes = ProductLifetimes(paid: .forever, bonus: .forever)
        vat = product.vat
        isOrdered = false
    }

    /// What an amount is worth that was paid, and what it was if it was in a foreign currency; nil: no price.
    private static func worth(
        of amount: Int64, in currency: String, at rate: Rate?
    ) -> (price: Price, foreign: ForeignPayment?)? {
        if currency == Currency.won.code { return Price(won: amount).map { ($0, nil) } }
        guard let rate, rate.currency.code == currency, (1...ForeignPayment.highest).contains(amount),
            let price = rate.price(of: amount)
        else { return nil }
        return (price, ForeignPayment(amount: amount, currency: rate.currency, rateID: rate.id))
    }

    /// The sale of an order, which has a fixed price and coins; nil: its currency has no rate, or the books have no such price.
    ///
    /// - Parameter rate: of an order in a foreign currency.
    init?(_ order: Order, at rate: Rate?) {
        let (amount, currency) = (order.price.amount, order.price.currency.code)
        guard let worth = Self.worth(of: amount, in: currency, at: rate) else { return nil }
        product = order.product
        price = worth.price
        foreign = worth.foreign
        coins = order.coins
        bonusCoins = order.bonusCoins
        lifetimes = order.lifetimes
        vat = order.vat
        isOrdered = true
    }
}

extension Coins {
    /// A product of two numbers; nil if it is none of coins.
    fileprivate init?(_ product: (partialValue: Int64, overflow: Bool)) {
        guard !product.overflow else { return nil }
        self.init(product.partialValue)
    }
}

extension Sale {
    /// All its coins; nil: more than there can be.
    var allCoins: Coins? {
        let (sum, overflow) = coins.count.addingReportingOverflow(bonusCoins?.count ?? 0)
        return overflow ? nil : Coins(sum)
    }
}

extension Offer {
    /// The offer of a product, for the verdict.
    init(_ product: Product, id: Int64) {
        self.init(
            id: id, price: product.price.amount, currency: product.price.currency.code, activeFrom: product.activeFrom,
            activeUntil: product.activeUntil)
    }
}

extension ExpectedOrder {
    /// An order, for the verdict on a payment.
    ///
    /// An order that was credited by the same payment counts as open; the ledger then returns the same purchase.
    init(_ order: Order, payment: GatewayPayment, id: Int64) {
        let isAnothers =
            order.payment.map { $0.gateway != payment.gateway || $0.paymentID != payment.paymentID } ?? false
        self.init(
            merchantUID: order.merchantUID, amount: order.price.amount, currency: order.price.currency.code,
            offerID: id, user: order.user.rawValue, expiresAt: order.expiresAt, state: isAnothers ? .credited : .open)
    }
}
