import Hummingbird

/// What monitoring asks: the health of the service, and its metrics.
struct Monitoring: Sendable {
    let health: HealthController
    let metrics: MetricsController

    /// The router of a listener of their own.
    ///
    /// - Parameter render: writes problems.
    func router(
        drain: Drain, render: @escaping ProblemMiddleware.Rendering
    ) -> Router<LedgerdRequestContext> {
        let router = Router(context: LedgerdRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: DrainMiddleware(drain: drain))
        router.addHouseMiddleware(render: render)
        router.add(publicly: health)
        router.add(publicly: metrics)
        return router
    }
}

extension ServerLimits {
    /// The same for the listener of monitoring, which has few clients.
    var forAdmin: ServerLimits {
        var limits = self
        limits.connections = Self.adminConnections
        return limits
    }
}
