import Testing
import Traces
import Tracing

@testable import OutboundHTTP

@Suite(.timeLimit(.minutes(20))) struct TracedTransportTests {
    private let recorder = TraceRecorder(queue: SpanQueue(), sampling: TraceSampling(ratio: 1))
    private let gateway = ScriptedGateway(.answer(200, "{}"))

    private func headers(sendsTraceparent: Bool) async throws -> [String: String] {
        let transport = TracedTransport(gateway, sendsTraceparent: sendsTraceparent)
        let request = HTTPRequest(.get, try HTTPURL("https://gateway.test/payments/imp_1"))
        _ = try await transport.send(request)
        let fields = try #require(gateway.requests.last).headers
        return Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `the other side gets the trace only if the setting allows it`() async throws {
        try await withTracer(recorder) {
            try await tracedAnew("work") {
                #expect(try await headers(sendsTraceparent: false).isEmpty)
                let reported = try await headers(sendsTraceparent: true)["traceparent"]
                let context = try #require(reported.flatMap(TraceContext.init(traceparent:)))
                let current = try #require(ServiceContext.current?.traceContext)
                // The id is the request's own, so that what the other side records is a part of that span.
                #expect(context.traceID == current.traceID && context.spanID != current.spanID && context.isSampled)
            }
        }
        #expect(recorder.queue.count == 3)
    }

    @Test func `outside of a trace no header is sent`() async throws {
        #expect(try await withTracer(recorder) { try await headers(sendsTraceparent: true) }.isEmpty)
        #expect(recorder.queue.count == 0)
    }
}
