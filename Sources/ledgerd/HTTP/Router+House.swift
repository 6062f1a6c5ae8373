import Hummingbird
import Metrics

extension Router where Context == LedgerdRequestContext {
    /// Adds the middlewares of all routes, outermost first: security headers, id, access log, metrics, problems.
    ///
    /// Call it before the first route.
    ///
    /// - Parameter render: writes problems; see ``ProblemMiddleware``.
    func addHouseMiddleware(
        metrics: any MetricsFactory = MetricsSystem.factory,
        render: @escaping ProblemMiddleware.Rendering = { try $0.response(from: $1, context: $2) }
    ) {
        addMiddleware {
            SecurityHeadersMiddleware()
            RequestIDMiddleware()
            AccessLogMiddleware()
            RequestMetricsMiddleware(factory: metrics)
            ProblemMiddleware(render: render)
        }
    }
}
