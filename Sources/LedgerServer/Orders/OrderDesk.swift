import Ledger
import PGVerifier

/// Creates orders for users.
///
/// It registers the amount at the gateway before it stores the order. So every stored order has a registered amount,
/// and an unknown result of a registration needs no repair: its `merchant_uid` is never used again
/// (docs/decisions/0050-orders-are-registered-first.md).
struct OrderDesk: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    /// How long an order keeps its price.
    let lifetime: Duration
    /// The limit of a user's running requests.
    let limit: PerUserLimit

    /// The result: an order, new or existing.
    struct Made: Sendable {
        let order: Order
        /// Whether an earlier request with the same key created it.
        let isRepeat: Bool
    }

    /// Creates an order, or finds the existing one with the same key.
    ///
    /// - Throws: ``Problem`` for a refusal, or `gateway_unavailable` if no order was created and a retry can help;
    ///   ``LedgerError``.
    func make(_ request: OrderChoice, for user: UserID) async throws -> Made {
        guard !user.isForgotten else { throw Problem(.invalidRequest, "the user was forgotten") }
        if let known = try await known(request, of: user) { return known }
        let gateway = try gateway(request.gateway)
        guard let product = try await products(for: request).first(where: { $0.code == request.product }) else {
            throw Problem(
                .productNotFound, "/product is not a product on sale; see GET /v1/products",
                members: ["pointer": "/product"])
        }
        guard try await !ledger.orders.isFull(for: user) else { throw Problem(.tooManyOrders) }
        let price = try await price(of: product, in: request.currency)
        let name = MerchantUID.fresh()
        try await limit.run(for: user) { try await register(name, price, at: gateway) }
        let draft = OrderDraft(
            user: user, merchantUID: name.text, gateway: gateway.name, product: product, price: price,
            lifetime: lifetime, idempotencyKey: request.key)
        if let order = try await ledger.orders.make(draft) { return Made(order: order, isRepeat: false) }
        // A concurrent request with the same key stored its order first.
        guard let known = try await known(request, of: user) else { throw Problem(.internal) }
        return known
    }

    private func known(_ request: OrderChoice, of user: UserID) async throws -> Made? {
        guard let key = request.key, let order = try await ledger.orders.find(under: key) else { return nil }
        guard request.isSame(as: order) else { throw Problem.keyReused(for: "order", at: order.createdAt) }
        return Made(order: order, isRepeat: true)
    }

    private func gateway(_ name: String?) throws(Problem) -> any RegistersOrders {
        guard let name else {
            guard let first = gateways.registering.first else { throw Problem(.gatewayOff) }
            return first
        }
        let names = Gateways.thatRegister
        guard names.contains(name) else {
            throw .invalid(pointer: "/gateway", "/gateway must be \(names.joined(separator: " or "))")
        }
        guard let gateway = gateways.registering.first(where: { $0.name == name }) else {
            throw Problem(.gatewayOff, "\(name) is not configured", members: ["pointer": "/gateway"])
        }
        return gateway
    }

    /// With their prices of the same moment, if one is asked for.
    private func products(for request: OrderChoice) async throws(LedgerError) -> [Product] {
        if request.currency == nil { return try await ledger.products.list() }
        return try await ledger.products.listWithPrices()
    }

    /// A price that could not be booked when it is paid is none.
    ///
    /// - Parameter currency: nil: won.
    private func price(of product: Product, in currency: ForeignCurrency?) async throws -> AskedPrice {
        guard let currency else { return .won(product.price) }
        guard let price = product.prices.first(where: { $0.price.currency == currency })?.price else {
            throw Problem.noPrice("\(product.code) has no price in \(currency.code); see GET /v1/products")
        }
        guard try await ledger.products.canBook(price) else {
            throw Problem.noPrice("the price of \(product.code) in \(currency.code) can't be booked at the last rate")
        }
        return .foreign(price)
    }

    private func register(_ name: MerchantUID, _ price: AskedPrice, at gateway: any RegistersOrders) async throws {
        do throws(GatewayError) {
            try await gateway.register(
                OrderAmount(merchantUID: name, amount: price.amount, currency: price.currency.code))
        } catch {
            throw NotRegistered(error: error)
        }
    }
}

extension Problem {
    fileprivate static func noPrice(_ detail: String) -> Problem {
        Problem(.noPriceInCurrency, detail, members: ["pointer": "/currency"])
    }
}

/// The gateway refused to register an amount, or the result is unknown.
private struct NotRegistered: ProblemConvertible {
    /// The cause, for the log.
    let error: GatewayError

    var problem: Problem { Problem(error.isDefinite ? .orderRefusedByGateway : .gatewayUnavailable) }
}

/// The request of an order.
struct OrderChoice: Sendable {
    /// The product's code.
    let product: String
    /// The gateway to pay through; nil for the first one at which orders are registered.
    let gateway: String?
    /// The currency to pay in; nil: won.
    var currency: ForeignCurrency?
    /// The idempotency key: a repeat returns the same order.
    let key: CallerKey?

    /// Whether an order matches the request.
    func isSame(as order: Order) -> Bool {
        order.product == product && (gateway == nil || gateway == order.gateway)
            && order.price.currency == currency.map(Currency.init) ?? .won
    }
}
