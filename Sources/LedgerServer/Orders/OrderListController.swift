import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

/// The orders of the caller, or of any user (below `users/{user}`).
struct OrderListController: Sendable {
    let orders: Orders
    /// The time zone of days.
    let timeZone: TimeZone
    /// The user of a request's orders.
    var user: @Sendable (LedgerdRequestContext) throws -> UserID = { try $0.requireUser() }

    /// The same, of the user in the path and not of the caller.
    var ofUserInPath: Self { Self(orders: orders, timeZone: timeZone) { try $0.requireUserInPath() } }

    /// `GET …/orders`, newest first; `?from=&to=` filters by creation, `?status=` by status.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "from", "to", "status")
        let now = Time.current.now
        let found = try await orders.list(
            of: try user(context), in: try page.query.period(in: timeZone), try page.query.choice("status"), at: now,
            after: page.after, limit: page.limit)
        return try page.answer(OrderBody.listName, found.elements.map { OrderBody($0, at: now) }, next: found.next)
    }

    /// `GET …/orders/{id}`; an order of another user is not found.
    func order(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let order = try await orders.find(try context.pathID(), of: try user(context))
        guard let order else { throw Problem(.notFound, "the order does not exist") }
        return try Response(json: OrderBody(order, at: Time.current.now))
    }
}
