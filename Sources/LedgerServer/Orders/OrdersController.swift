import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

/// Creates orders of users.
struct OrdersController: Sendable {
    let desk: OrderDesk

    /// `POST /v1/orders`: 201 with the order; its amount is registered at the gateway.
    func make(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUser()
        let key = try request.idempotencyKeyIfAny(context)
        let body = try await request.decode(as: OrderRequestBody.self, context: context)
        let asked = OrderChoice(product: body.product.value, gateway: body.gateway?.value, key: key)
        let made = try await desk.make(asked, for: user)
        var headers: HTTPFields = [.location: "/v1/orders/\(made.order.id)"]
        if made.isRepeat { headers[.idempotentReplayed] = "true" }
        return try Response(status: .created, headers: headers, json: OrderBody(made.order, at: Time.current.now))
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
