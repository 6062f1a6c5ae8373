import LedgerWire

extension OrdersController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .keyed(
                "makeOrder", "/v1/orders", .user, .shop,
                "Create an order",
                """
                Fixes product and price under a new `merchant_uid` and registers the amount at the gateway. ledgerd \
                credits the payment to the user who ordered, with or without a receipt.
                """,
                requiresKey: false,
                body: .json(
                    OrderRequestBody.self,
                    .init("order", "at the default gateway", ["product": "coins_100"]),
                    .init("atV2", "at PortOne V2", ["product": "coins_100", "gateway": "portone-v2"])),
                answers: [
                    .created(
                        OrderBody.self, "The order. Its amount is registered at the gateway.", headers: [.location],
                        links: [.init("order", "getOrder", id: "/id")])
                ],
                refusals: [
                    .productNotFound, .gatewayOff, .tooManyOrders, .tooManyAtOnce, .orderRefusedByGateway,
                    .gatewayUnavailable,
                ])
        ) { $0.make }
    ]

    static func make(with deps: Deps) throws -> Self? {
        OrdersController(
            desk: OrderDesk(
                gateways: deps.crediter.gateways, ledger: deps.ledger,
                lifetime: try deps.configuration[Settings.receipts.orderLifetime], limit: deps.limit))
    }
}
