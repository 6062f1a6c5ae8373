import LedgerWire

extension MetricsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .file(
                "getMetrics", "/metrics", .anyone, .operation,
                "Get metrics in Prometheus text format",
                answers: [
                    .text(
                        "text/plain",
                        description:
                            "The metrics. Where `LEDGERD_ADMIN_LISTEN` is set, this path is only on that address.",
                        example: .init(
                            "buildInfo",
                            """
                            # TYPE ledgerd_build_info gauge
                            ledgerd_build_info{version="0.2.0",commit="0492abc",built_at="2026-11-22T09:00:00Z"} 1

                            """
                        ))
                ],
                refusals: [.notFound],
                traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.metricsText }
    ]

    static func make(with deps: Deps) throws -> Self? {
        // Where monitoring has an address of its own, the metrics are only there.
        try deps.configuration[Settings.http.adminListen] == nil ? deps.monitoring.metrics : nil
    }
}
