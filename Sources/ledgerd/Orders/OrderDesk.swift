import Ledger
import PGVerifier

/// Makes orders for users.
///
/// What is sold is fixed, its amount registered at the gateway, and only then is the order written down: there is no
/// order whose amount may not be registered, and nothing to mend after a registration whose outcome is unknown. A name
/// that was registered for nothing is never used again (docs/decisions/0050-orders-are-registered-first.md).
struct OrderDesk: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    /// How long an order keeps its price.
    let lifetime: Duration
    /// What one user may have at work.
    let limit: PerUserLimit

    /// An order that there is.
    struct Made: Sendable {
        let order: Order
        /// Whether it was made by an earlier request with the same key.
        let isRepeat: Bool
    }

    /// Makes an order, or finds the one that the same key made before.
    ///
    /// - Throws: ``Problem`` for a refusal; `gateway_unavailable` when nothing was made and asking again may succeed;
    ///   ``LedgerError``.
    func make(_ request: OrderChoice, for user: UserID) async throws -> Made {
        if let known = try await known(request, of: user) { return known }
        let gateway = try gateway(request.gateway)
        guard let product = try await ledger.products.list().first(where: { $0.code == request.product }) else {
            throw Problem(
                .productNotFound, "/product names nothing that is on sale; GET /v1/products lists what is",
                members: ["pointer": "/product"])
        }
        guard try await !ledger.orders.isFull(for: user) else { throw Problem(.tooManyOrders) }
        let name = MerchantUID.fresh()
        try await limit.run(for: user) { try await register(name, product.price, at: gateway) }
        let draft = OrderDraft(
            user: user, merchantUID: name.text, gateway: gateway.name, product: product, lifetime: lifetime,
            idempotencyKey: request.key)
        if let order = try await ledger.orders.make(draft) { return Made(order: order, isRepeat: false) }
        // The same key came twice at the same time, and the other request was the first to write.
        guard let known = try await known(request, of: user) else { throw Problem(.internal) }
        return known
    }

    private func known(_ request: OrderChoice, of user: UserID) async throws -> Made? {
        guard let key = request.key, let order = try await ledger.orders.find(under: key) else { return nil }
        guard request.isSame(as: order) else { throw Problem(.idempotencyKeyReused) }
        return Made(order: order, isRepeat: true)
    }

    private func gateway(_ name: String?) throws(Problem) -> any MerchantGateway {
        guard let name else {
            guard let first = gateways.all.first else { throw Problem(.gatewayOff) }
            return first
        }
        guard [PortOneV1.name, PortOneV2.name].contains(name) else {
            throw .invalid(pointer: "/gateway", "/gateway must be \(PortOneV1.name) or \(PortOneV2.name)")
        }
        guard let gateway = gateways.gateway(named: name) else {
            throw Problem(.gatewayOff, "\(name) is not configured here", members: ["pointer": "/gateway"])
        }
        return gateway
    }

    private func register(_ name: MerchantUID, _ price: Price, at gateway: any MerchantGateway) async throws {
        do throws(GatewayError) {
            try await gateway.register(
                OrderAmount(merchantUID: name, amount: price.amount, currency: price.currency.code))
        } catch {
            throw NotRegistered(error: error)
        }
    }
}

/// The gateway did not take an order's amount, or can't say that it did.
private struct NotRegistered: ProblemConvertible {
    /// For the log.
    let error: GatewayError

    var problem: Problem { Problem(error.isDefinite ? .orderRefusedByGateway : .gatewayUnavailable) }
}

/// What a user orders.
struct OrderChoice: Sendable {
    /// The product's code.
    let product: String
    /// The gateway to pay through; nil for the one that is on, V1 before V2.
    let gateway: String?
    /// Under which the same request is answered with the same order.
    let key: CallerKey?

    /// Whether the order is what is asked for here.
    func isSame(as order: Order) -> Bool {
        order.product == product && (gateway == nil || gateway == order.gateway)
    }
}
