import Ledger
import LedgerWire

extension OrderListController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listOrders", "/v1/orders", .user, .shop,
                "List the caller's orders, newest first",
                parameters: [
                    .from,
                    .to,
                    .query("status", .choice(Order.Status.self), "only items with this status"),
                ],
                page: ListBody<OrderBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getOrder", "/v1/orders/{id}", .user, .shop,
                "Get one of the caller's orders",
                parameters: [.order],
                answers: [.ok(OrderBody.self, "The order.")],
                refusals: [.notFound])
        ) { $0.order },
        Route(
            .list(
                "listUserOrders", "/v1/users/{user}/orders", .support, .support,
                "List a user's orders, newest first",
                parameters: [
                    .user,
                    .from,
                    .to,
                    .query("status", .choice(Order.Status.self), "only items with this status"),
                ],
                page: ListBody<OrderBody>.self)
        ) { $0.ofUserInPath.list },
        Route(
            .read(
                "getUserOrder", "/v1/users/{user}/orders/{id}", .serviceRead, .support,
                "Get one of a user's orders",
                parameters: [.user, .order],
                answers: [.ok(OrderBody.self, "The order.")],
                refusals: [.notFound])
        ) { $0.ofUserInPath.order },
    ]

    static func make(with deps: Deps) throws -> Self? {
        OrderListController(orders: deps.ledger.orders, timeZone: deps.timeZone)
    }
}
