import Hummingbird
import Traces
import Tracing

/// Traces each request as a span, which takes up the caller's trace if `traceparent` names one.
///
/// The header is the caller's word: its ids and its sampled flag are taken over, nothing else depends on it, and a
/// malformed one is ignored. The span holds the route's pattern and neither path, query, headers nor the caller's name.
struct RequestSpanMiddleware: RouterMiddleware {
    let recorder: TraceRecorder

    /// What probes and scrapers ask every few seconds.
    private static let untraced: Set<String> = ["/health/live", "/health/ready", "/metrics"]
    private static let knownMethods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        guard !Self.untraced.contains(request.uri.path) else { return try await next(request, context) }
        var parent = ServiceContext.topLevel
        parent.traceContext = request.traceContext
        let method = Self.knownMethods.contains(request.method) ? request.method.rawValue : "_OTHER"
        let span = recorder.startSpan(method, context: parent, ofKind: .server)
        guard span.isRecording, let trace = span.context.traceContext else { return try await next(request, context) }
        span.attributes["http.request.method"] = method
        var context = context
        context.logger[metadataKey: "trace_id"] = .stringConvertible(trace.traceID)
        do {
            let response = try await ServiceContext.$current.withValue(span.context) {
                try await next(request, context)
            }
            let status = response.status
            return response.onFinish { [context] _ in Self.end(span, method, status, context) }
        } catch {
            span.recordError(error)
            span.end()
            throw error
        }
    }

    private static func end(
        _ span: RecordedSpan, _ method: String, _ status: HTTPResponse.Status, _ context: LedgerdRequestContext
    ) {
        span.operationName = "\(method) \(context.routePattern)"
        span.updateAttributes { attributes in
            attributes["http.route"] = context.routePattern
            attributes["http.response.status_code"] = status.code
            attributes["ledgerd.principal"] = context.record.principalKind?.rawValue
            attributes["ledgerd.problem"] = context.record.problemCode?.rawValue
            if status.kind == .serverError { attributes["error.type"] = "\(status.code)" }
        }
        if status.kind == .serverError { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

extension Request {
    /// The caller's span, if one header names it well.
    fileprivate var traceContext: TraceContext? {
        let values = headers[values: .traceparent]
        return values.count == 1 ? TraceContext(traceparent: values[0]) : nil
    }
}
