import FoundationEssentials
import OutboundHTTP

/// The URL that traces or metrics are sent to.
enum CollectorEndpoint {
    /// Plain HTTP is allowed to any host: neither holds secrets, and collectors seldom have certificates.
    ///
    /// - Parameter signal: what is sent there, `traces` or `metrics`; the path, if there is none, names it.
    static func parse(_ text: String, for signal: String) -> HTTPURL? {
        guard !text.contains(where: { " ?#".contains($0) }),
            let url = try? HTTPURL(text, allowsPlainHTTP: true), let scheme = text.range(of: "://")
        else { return nil }
        let path = text[scheme.upperBound...].drop { $0 != "/" }
        return path.isEmpty || path == "/" ? url.appending("v1", signal) : url
    }
}

/// Header fields in the form of OpenTelemetry's `OTEL_EXPORTER_OTLP_HEADERS`.
enum CollectorHeaders {
    /// Nil when one is no field that can be sent.
    static func parse(_ text: String) -> [HTTPRequest.Field]? {
        var fields: [HTTPRequest.Field] = []
        for part in text.commaSeparated {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let value = String(sides[1]).removingPercentEncoding, isName(sides[0]),
                value.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
            else { return nil }
            fields.append((String(sides[0]), value))
        }
        return fields.isEmpty ? nil : fields
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
