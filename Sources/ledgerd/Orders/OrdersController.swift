import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Orders of users.
struct OrdersController: Sendable {
    let desk: OrderDesk
    /// The time zone of days.
    let timeZone: TimeZone

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.post("orders", use: make)
        group.get("orders", use: list)
        group.get("orders/{id}", use: order)
    }

    /// `POST /v1/orders`: 201 with the order; its amount is registered at the gateway.
    private func make(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUser()
        let key = try request.idempotencyKeyIfAny(context)
        let body = try await request.decode(as: OrderRequestBody.self, context: context)
        let asked = OrderChoice(product: body.product.value, gateway: body.gateway?.value, key: key)
        let made = try await desk.make(asked, for: user)
        var headers: HTTPFields = [.location: "/v1/orders/\(made.order.id)"]
        if made.isRepeat { headers[.idempotentReplayed] = "true" }
        return try Response(status: .created, headers: headers, json: OrderBody(made.order, at: Date()))
    }

    /// `GET /v1/orders`: the caller's orders, newest first; `?from=&to=` filters by creation, `?status=` by status.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: OrderCursor.self, filters: "from", "to", "status")
        let now = Date()
        let found = try await desk.ledger.orders.list(
            of: try context.requireUser(), in: try page.query.period(in: timeZone), try page.query.choice("status"),
            at: now, after: page.after, limit: page.limit)
        return try page.answer(OrderBody.listName, found.elements.map { OrderBody($0, at: now) }, next: found.next)
    }

    /// `GET /v1/orders/{id}`; an order of another user is not found.
    private func order(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let order = try await desk.ledger.orders.find(try context.pathID(), of: try context.requireUser())
        guard let order else { throw Problem(.notFound, "the order does not exist") }
        return try Response(json: OrderBody(order, at: Date()))
    }
}

/// The request of an order.
struct OrderRequestBody: Decodable {
    let product: NonEmpty
    let gateway: NonEmpty?

    typealias CodingKeys = OrderRequest.CodingKeys
}

extension OrderBody {
    /// An order with its status at a moment.
    init(_ order: Order, at moment: Date) {
        self.init(
            id: order.id, merchantUID: order.merchantUID, gateway: order.gateway, product: order.product,
            amount: order.price.amount, currency: order.price.currency.code, coins: order.coins.count,
            bonusCoins: order.bonusCoins?.count ?? 0, status: order.status(at: moment).rawValue,
            createdAt: order.createdAt, expiresAt: order.expiresAt, purchaseID: order.payment?.purchaseID)
    }
}
