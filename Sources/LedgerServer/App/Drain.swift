import Hummingbird
import ServiceLifecycle
import Synchronization
import Timing

/// Makes clients close their connections before the service stops listening.
///
/// When the HTTP server is told to stop, it closes all idle connections, even one with an unread request, whose client
/// sees a reset. So the service first goes on for a period in which it is not ready and responses have `Connection:
/// close`. After that period, idle connections get no more requests.
final class Drain: Service {
    private let period: Duration
    private let onBegin: @Sendable () -> Void
    private let begun = Atomic(false)

    /// - Parameter onBegin: lets requests end that only wait.
    init(for period: Duration, onBegin: @escaping @Sendable () -> Void = {}) {
        self.period = period
        self.onBegin = onBegin
    }

    /// Whether the period has begun.
    var isUnderWay: Bool { begun.load(ordering: .relaxed) }

    func run() async throws {
        try await gracefulShutdown()
        begun.store(true, ordering: .relaxed)
        onBegin()
        try? await Time.current.sleep(for: period)
    }
}

/// Adds `Connection: close` to responses while the service drains.
///
/// It is the outermost one, because a problem becomes a response only in ``ProblemMiddleware``.
struct DrainMiddleware: RouterMiddleware {
    let drain: Drain

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if drain.isUnderWay { response.headers[.connection] = "close" }
        return response
    }
}
