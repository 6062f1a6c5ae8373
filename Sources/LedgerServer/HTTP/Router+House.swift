import Hummingbird
import Metrics
import Traces

extension Router where Context == LedgerdRequestContext {
    /// Adds the middlewares of all routes, outermost first: security headers, id, trace, access log, metrics,
    /// problems.
    ///
    /// Call it before the first route.
    ///
    /// - Parameters:
    ///   - traces: records requests as spans, if it is on.
    ///   - render: writes problems; see ``ProblemMiddleware``.
    func addHouseMiddleware(
        metrics: any MetricsFactory = MetricsSystem.factory, traces: TraceRecorder? = nil,
        render: @escaping ProblemMiddleware.Rendering = { try $0.response(from: $1, context: $2) }
    ) {
        addMiddleware {
            SecurityHeadersMiddleware()
            RequestIDMiddleware()
            if let traces { RequestSpanMiddleware(recorder: traces) }
            AccessLogMiddleware()
            RequestMetricsMiddleware(factory: metrics)
            ProblemMiddleware(render: render)
        }
    }
}
