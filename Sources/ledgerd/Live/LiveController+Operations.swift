import LedgerWire

extension LiveController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "getLiveFigures", "/v1/live", .either(.support, or: .financeRead), .support,
                "Get what is happening now",
                "The scope `finance:read` allows it too. Queue and gateways are those of the process that answers.",
                answers: [.ok(LiveBody.self, "The state now.")])
        ) { $0.live }
    ]

    static func make(with deps: Deps) throws -> Self? {
        LiveController(
            ledger: deps.ledger, metrics: deps.monitoring.metrics.metrics,
            gateways: deps.crediter.gateways.all.map(\.name))
    }
}
