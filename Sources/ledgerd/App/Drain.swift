import Hummingbird
import ServiceLifecycle
import Synchronization

/// Lets clients go before the service stops listening.
///
/// The server underneath closes every connection that is idle in the moment it is told to stop, also one on which a
/// request has arrived and is not read yet: its client sees a reset. So for a while all is still served, but answers
/// carry `Connection: close` and the service is not ready; who is idle after it sends nothing any more.
final class Drain: Service {
    private let period: Duration
    private let begun = Atomic(false)

    init(for period: Duration) {
        self.period = period
    }

    /// Whether clients are told to leave.
    var isUnderWay: Bool { begun.load(ordering: .relaxed) }

    func run() async throws {
        try await gracefulShutdown()
        begun.store(true, ordering: .relaxed)
        try? await Task.sleep(for: period)
    }
}

/// Tells clients to leave while the service drains.
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
