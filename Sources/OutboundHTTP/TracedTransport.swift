import Traces
import Tracing

/// A transport whose requests are spans, one each, named by their method.
///
/// A span tells neither path nor host: paths hold the ids of payments.
package struct TracedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let sendsTraceparent: Bool

    /// - Parameter sendsTraceparent: whether requests tell their trace to the other side.
    package init(_ transport: any HTTPTransport, sendsTraceparent: Bool) {
        self.transport = transport
        self.sendsTraceparent = sendsTraceparent
    }

    /// Sends the request within a span, if the task is in a trace.
    ///
    /// - Throws: ``TransportError``, as the transport does.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await traced(
            request.method.rawValue, ofKind: .client, ["http.request.method": .string(request.method.rawValue)]
        ) { span throws(TransportError) in
            var request = request
            if sendsTraceparent, let traceparent = span?.context.traceContext?.traceparent {
                request.headers.append(("traceparent", traceparent))
            }
            let response = try await transport.send(request)
            span?.attributes["http.response.status_code"] = response.status
            if response.status >= 400 {
                span?.attributes["error.type"] = "\(response.status)"
                span?.setStatus(SpanStatus(code: .error))
            }
            return response
        }
    }
}

extension TransportError: SpanError {
    package var spanErrorType: String { code.rawValue }
}
