import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing
import WireFormats

/// Creates orders of users.
struct OrdersController: Sendable {
    let desk: OrderDesk
    /// Whether the user is the one in the path, for whom a service acts, and not the caller.
    var isOfUserInPath = false

    /// The same, of the user in the path.
    var ofUserInPath: Self { Self(desk: desk, isOfUserInPath: true) }

    /// `POST /v1/orders`, `POST /v1/users/{user}/orders`: 201 with the order; its amount is registered at the gateway.
    func make(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try isOfUserInPath ? context.requireUserInPath() : context.requireUser()
        // A key names one of the user's orders, whoever makes it.
        let key = try request.idempotencyKeyIfAny(context).flatMap { CallerKey($0.text, of: user) }
        let body = try await request.decode(as: OrderRequestBody.self, context: context)
        let asked = OrderChoice(
            product: body.product.value, gateway: body.gateway?.value, currency: try body.foreignCurrency(), key: key)
        let made = try await desk.make(asked, for: user)
        let path = isOfUserInPath ? "/v1/users/\(FormText.encode(user.rawValue))/orders" : "/v1/orders"
        var headers: HTTPFields = [.location: "\(path)/\(made.order.id)"]
        if made.isRepeat { headers[.idempotentReplayed] = "true" }
        return try Response(status: .created, headers: headers, json: OrderBody(made.order, at: Time.current.now))
    }
}

/// The request of an order.
struct OrderRequestBody: Decodable {
    let product: NonEmpty
    let gateway: NonEmpty?
    let currency: NonEmpty?

    typealias CodingKeys = OrderRequest.CodingKeys

    /// nil: the currency of the books, named or not.
    func foreignCurrency() throws(Problem) -> ForeignCurrency? {
        guard let code = currency?.value, code != Currency.won.code else { return nil }
        do {
            return try ForeignCurrency(code)
        } catch {
            throw .invalid(pointer: "/currency", "/currency must be a code of ISO 4217 in capital letters")
        }
    }
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
