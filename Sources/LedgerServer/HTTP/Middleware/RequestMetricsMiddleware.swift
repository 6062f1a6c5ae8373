import Hummingbird
import Metrics
import Synchronization

/// Counts requests and measures their duration, by route pattern.
///
/// Paths and unknown methods are not labels, because clients could create an unlimited number of series.
final class RequestMetricsMiddleware: RouterMiddleware {
    private let factory: any MetricsFactory
    private let series = Mutex([Key: Series]())

    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Series {
        let requests: Counter
        let seconds: Metrics.Timer
    }

    /// - Parameter factory: receives the metrics; by default the factory of the process.
    init(factory: any MetricsFactory = MetricsSystem.factory) {
        self.factory = factory
    }

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let status = response.status.code
        // Each path refuses most methods; separate series for them would outnumber all others.
        let isKnown = Self.knownMethods.contains(request.method) && status != 405
        let method = isKnown ? request.method.rawValue : "other"
        return response.onFinish { _ in
            let series = self.series(Key(method: method, route: context.routePattern, status: status))
            series.requests.increment()
            series.seconds.record(duration: .now - start)
        }
    }

    private static let knownMethods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    /// The series are cached here, because a search in the factory sorts and escapes labels.
    private func series(_ key: Key) -> Series {
        series.withLock { kept in
            if let series = kept[key] { return series }
            let route = [("method", key.method), ("route", key.route)]
            let new = Series(
                requests: Counter(
                    label: "ledgerd_http_requests_total", dimensions: route + [("status", String(key.status))],
                    factory: factory),
                seconds: Metrics.Timer(
                    label: "ledgerd_http_request_seconds", dimensions: route, preferredDisplayUnit: .seconds,
                    factory: factory))
            kept[key] = new
            return new
        }
    }
}
