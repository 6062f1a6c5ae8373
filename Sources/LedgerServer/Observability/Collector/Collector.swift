import Foundation
import OutboundHTTP
import Traces
import Tracing

/// A collector of OpenTelemetry: OTLP over HTTP, in binary Protocol Buffers.
struct Collector: Sendable {
    private let endpoint: HTTPURL
    private let headers: [HTTPRequest.Field]
    /// A transport of its own: a collector that hangs holds none of the gateways' connections.
    private let transport = CurlTransport(.init(maxConnectionsPerHost: 1, maxConnections: 1, maxTransfers: 2))

    /// What the process is, for every collector.
    static let resource: SpanAttributes = [
        "service.name": "ledgerd", "service.version": .string(BuildInfo.current.version),
        "service.instance.id": .string(UUID().uuidString.lowercased()),
        "host.name": .string(ProcessInfo.processInfo.hostName),
        "process.pid": .int64(Int64(ProcessInfo.processInfo.processIdentifier)),
    ]

    init(endpoint: HTTPURL, headers: [HTTPRequest.Field] = []) {
        self.endpoint = endpoint
        self.headers = headers
    }

    /// Nil when no endpoint is set.
    ///
    /// - Throws: ``ConfigurationError`` when a key would be sent unencrypted to another machine.
    init?(
        _ configuration: ServeConfiguration, endpoint endpointSetting: Setting<HTTPURL?>,
        headers headersSetting: Setting<[HTTPRequest.Field]?>
    ) throws(ConfigurationError) {
        guard let endpoint = try configuration[endpointSetting] else { return nil }
        let headers = try configuration[headersSetting] ?? []
        // The rule of the gateways' URLs: what holds a key is encrypted, or stays on this machine.
        guard headers.isEmpty || (try? HTTPURL(endpoint.text)) != nil else {
            throw ConfigurationError.conflict(
                headersSetting.name,
                "\(headersSetting.name) would be sent unencrypted: \(endpointSetting.name) must be https")
        }
        self.init(endpoint: endpoint, headers: headers)
    }

    /// What became of a request.
    enum Outcome {
        /// The collector took everything, but for so many spans or data points.
        case accepted(rejected: Int)
        /// It will not take them, now or later.
        case refused(String)
        /// It may take them later.
        case failed(String)
    }

    func send(_ body: [UInt8], within timeout: Duration) async -> Outcome {
        let request = HTTPRequest(
            .post, endpoint, headers: headers + [("Content-Type", ExportRequest.contentType)], body: body,
            totalTimeout: timeout, maxResponseBytes: 64 << 10)
        do throws(TransportError) {
            let response = try await transport.send(request)
            switch response.status {
            case 200..<300: return .accepted(rejected: ExportResponse.rejected(response.body))
            // What OTLP says may be sent again.
            case 429, 502, 503, 504: return .failed("status \(response.status)")
            default: return .refused("status \(response.status)")
            }
        } catch {
            return .failed("\(error)")
        }
    }

    /// Ends its connections.
    func shutdown() { transport.shutdown() }
}
