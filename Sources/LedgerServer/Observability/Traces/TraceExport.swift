import Foundation
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
        guard let endpoint = try configuration[Settings.traces.endpoint] else { return nil }
        let headers = try configuration[Settings.traces.headers] ?? []
        // The rule of the gateways' URLs: what holds a key is encrypted, or stays on this machine.
        guard headers.isEmpty || (try? HTTPURL(endpoint.text)) != nil else {
            throw ConfigurationError.conflict(
                "traces_headers", "traces_headers would be sent unencrypted: traces_endpoint must be https")
        }
        let wakeup = Wakeup()
        let queue = SpanQueue { wakeup.ring() }
        recorder = TraceRecorder(
            queue: queue, sampling: TraceSampling(ratio: try configuration[Settings.traces.sampleRatio]))
        exporter = TraceExporter(
            queue: queue, wakeup: wakeup, endpoint: endpoint, headers: headers,
            // A transport of its own: a collector that hangs holds none of the gateways' connections.
            transport: CurlTransport(.init(maxConnectionsPerHost: 1, maxConnections: 1, maxTransfers: 2)),
            logger: logger)
        sendsTraceparentToGateways = try configuration[Settings.traces.gatewayHeader]
    }

    /// A transport to the gateways whose requests are spans.
    func tracing(_ transport: CurlTransport) -> any HTTPTransport {
        TracedTransport(transport, sendsTraceparent: sendsTraceparentToGateways)
    }

    /// Makes it the tracer of the process, once.
    func bootstrap() { InstrumentationSystem.bootstrap(recorder) }
}
