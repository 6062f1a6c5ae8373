import OutboundHTTP

/// The settings of a collector of OpenTelemetry, which traces and metrics have alike.
///
/// Each has its own, because they can go to different collectors.
enum CollectorSettings {
    /// - Parameters:
    ///   - signal: what is sent there, `traces` or `metrics`.
    ///   - unset: the effect of a missing value.
    static func endpoint(of signal: String, unset: String) -> Setting<HTTPURL?> {
        Setting(
            "\(signal)_endpoint",
            "The OpenTelemetry collector that \(signal) are sent to (OTLP over HTTP, binary). Without a path, "
                + "/v1/\(signal) is added.",
            rule: "an http or https URL without query", unset: unset,
            parse: { CollectorEndpoint.parse($0, for: signal) })
    }

    static func headers(of signal: String) -> Setting<[HTTPRequest.Field]?> {
        Setting(
            "\(signal)_headers", "Header fields of the requests to the collector, such as its key.",
            rule: "name=value, separated by commas, values percent-encoded", unset: "none", isSecret: true,
            parse: CollectorHeaders.parse)
    }
}
