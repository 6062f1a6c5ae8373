import LedgerWire

extension WebhooksController: Feature {
    static let routes: [Route<Self>] = GatewayConfiguration.known.compactMap { gateway in
        gateway.webhook.map { operation in Route(operation) { $0.take(operation.id) } }
    }

    static func make(with deps: Deps) throws -> Self? {
        try WebhooksController(deps.configuration.gateways, events: deps.ledger.webhooks)
    }
}
