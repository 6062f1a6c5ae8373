import LedgerWire

extension OrdersController: Feature {
    static let routes: [Route<Self>] = [
        route(
            "makeOrder", "/v1/orders", .user, .shop, "Create an order",
            """
            Fixes product and price, in won or in another currency of the product's prices, under a new `merchant_uid` and \
            registers the amount at the gateway. ledgerd credits \
            the payment to the user who ordered, with or without a receipt.
            """, links: [.init("order", "getOrder", id: "/id")]
        ) { $0 },
        route(
            "makeUserOrder", "/v1/users/{user}/orders", .serviceWrite, .users, "Create an order for a user",
            """
            Works like `POST /v1/orders` of the user. A key that the user sent before returns the user's order.
            """, [.user]
        ) { $0.ofUserInPath },
    ]

    /// - Parameter links: where the order is shown.
    private static func route(
        _ name: String, _ path: String, _ callers: Callers, _ tag: Operation.Tag, _ summary: String,
        _ description: String, _ inPath: [Operation.Parameter] = [], links: [Operation.Link] = [],
        _ controller: @escaping @Sendable (Self) -> Self
    ) -> Route<Self> {
        Route(
            .keyed(
                name, path, callers, tag, summary, description, requiresKey: false, parameters: inPath,
                body: .json(
                    OrderRequestBody.self,
                    .init("order", "at the default gateway", ["product": "coins_100"]),
                    .init("atV2", "at PortOne V2", ["product": "coins_100", "gateway": "portone-v2"]),
                    .init("inDollars", "in dollars", ["product": "coins_100", "currency": "USD"])),
                answers: [
                    .created(
                        OrderBody.self, "The order. Its amount is registered at the gateway.", headers: [.location],
                        links: links)
                ],
                refusals: [
                    .productNotFound, .noPriceInCurrency, .gatewayOff, .tooManyOrders, .tooManyAtOnce,
                    .orderRefusedByGateway, .gatewayUnavailable,
                ])
        ) { controller($0).make }
    }

    static func make(with deps: Deps) throws -> Self? {
        OrdersController(
            desk: OrderDesk(
                gateways: deps.crediter.gateways, ledger: deps.ledger,
                lifetime: try deps.configuration[Settings.receipts.orderLifetime], limit: deps.limit))
    }
}
