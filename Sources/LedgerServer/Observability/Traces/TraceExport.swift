import Logging
import OutboundHTTP
import Traces
import Tracing

/// Tracing, as the settings have it: what records spans, and what sends them.
struct TraceExport: Sendable {
    let recorder: TraceRecorder
    let exporter: TraceExporter
    /// Whether requests to the payment gateways tell their trace.
    private let sendsTraceparentToGateways: Bool

    /// Nil when tracing is off.
    init?(_ configuration: ServeConfiguration, logger: Logger) throws {
        let settings = Settings.traces
        guard
            let collector = try Collector(configuration, endpoint: settings.endpoint, headers: settings.headers)
        else { return nil }
        let wakeup = Wakeup()
        let queue = SpanQueue { wakeup.ring() }
        recorder = TraceRecorder(
            queue: queue, sampling: TraceSampling(ratio: try configuration[settings.sampleRatio]))
        exporter = TraceExporter(queue: queue, wakeup: wakeup, collector: collector, logger: logger)
        sendsTraceparentToGateways = try configuration[settings.gatewayHeader]
    }

    /// A transport to the gateways whose requests are spans.
    func tracing(_ transport: CurlTransport) -> any HTTPTransport {
        TracedTransport(transport, sendsTraceparent: sendsTraceparentToGateways)
    }

    /// Makes it the tracer of the process, once.
    func bootstrap() { InstrumentationSystem.bootstrap(recorder) }
}
