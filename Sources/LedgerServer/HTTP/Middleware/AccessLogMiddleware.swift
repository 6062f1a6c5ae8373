import Hummingbird
import Logging

/// Logs one line per response: request, status, duration.
///
/// The line has the route's pattern, but no path, query, headers or caller's name, because access logs are kept for a
/// long time and have many readers. A line of the console has the subject of the person who is signed in, and no name; one
/// of a tool has the subject of the token, which is a person's or an agent's of the shop.
struct AccessLogMiddleware: RouterMiddleware {
    /// Routes that probes and scrapers request every few seconds, logged at debug.
    var quietRoutes: Set<String> = ["/health/live", "/health/ready", "/metrics"]

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let method = request.method
        let status = response.status
        return response.onFinish { bytes in
            log(method: method, status: status, bytes: bytes, duration: .now - start, context: context)
        }
    }

    private func log(
        method: HTTPRequest.Method, status: HTTPResponse.Status, bytes: Int, duration: Duration,
        context: LedgerdRequestContext
    ) {
        let route = context.routePattern
        let record = context.record
        let level = level(route: route, status: status, isFile: record.isFile)
        guard level >= context.logger.logLevel else { return }
        var metadata: Logger.Metadata = [
            "method": .string(method.rawValue),
            "route": .string(route),
            "status": .stringConvertible(status.code),
            "duration_ms": .stringConvertible(duration.milliseconds),
            "bytes": .stringConvertible(bytes),
            "principal": .string(record.principalKind?.rawValue ?? (record.person == nil ? "none" : "person")),
        ]
        if let person = record.person { metadata["person"] = .string(person) }
        if let code = record.problemCode { metadata["code"] = .string(code.rawValue) }
        context.logger.log(level: level, "request", metadata: metadata)
    }

    /// Debug for what comes with every page or every few seconds and says nothing.
    private func level(route: String, status: HTTPResponse.Status, isFile: Bool) -> Logger.Level {
        if status.kind == .serverError { return .warning }
        return quietRoutes.contains(route) || (isFile && status == .notModified) ? .debug : .info
    }
}

extension Duration {
    /// Milliseconds with a precision of one microsecond: `0.412`.
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
    }
}
