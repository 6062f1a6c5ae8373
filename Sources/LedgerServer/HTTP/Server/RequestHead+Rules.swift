import NIOHTTP1

extension HTTPRequestHead {
    /// The reason why a proxy could interpret the request differently than the service; nil if there is none.
    ///
    /// Different interpretations of a request's end, host or path allow request smuggling and access to paths that the
    /// proxy blocks (RFC 9112 §3.2, §6.1, §11.2).
    var ambiguity: String? {
        targetFault ?? hostFault ?? framingFault
    }

    /// Whether the connection is closed after the response (RFC 9112 §9.3).
    var isLast: Bool {
        version != .http1_1 || headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
    }

    /// The parser accepts versions 0.9, 1.0, 1.1 and 2.0.
    private var isKnownVersion: Bool { version == .http1_0 || version == .http1_1 }

    private var targetFault: String? {
        guard isKnownVersion else { return "the version is not HTTP/1.0 or HTTP/1.1" }
        if isPlain { return nil }
        if uri == "*" && method == .OPTIONS || method == .CONNECT { return nil }
        guard let path else { return "the request target is not a path or an http URL" }
        if path.contains("#") || uri.contains("#") { return "the request target has a fragment (#)" }
        if path.contains("//") { return "the path has an empty segment (//)" }
        if path.contains("\\") { return "the path has a backslash" }
        // An escaped slash is data, because users' ids can have one; it does not separate parts of a path.
        let segments = path.lowercased().replacing("%2e", with: ".").split(separator: "/")
        return segments.contains(".") || segments.contains("..") ? "the path has a dot segment" : nil
    }

    /// Whether the target is an ASCII path that needs none of the checks of ``targetFault``.
    ///
    /// Nearly all targets are such paths, so this check saves the others.
    private var isPlain: Bool {
        var before = UInt8.max
        var isInQuery = false
        for byte in uri.utf8 {
            guard byte < 0x80, byte != UInt8(ascii: "#") else { return false }
            if isInQuery { continue }
            if before == .max, byte != UInt8(ascii: "/") { return false }
            // An empty segment, or the start of a dot segment, escaped or not.
            if before == UInt8(ascii: "/"),
                byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%")
            {
                return false
            }
            if byte == UInt8(ascii: "\\") { return false }
            isInQuery = byte == UInt8(ascii: "?")
            before = byte
        }
        return before != .max
    }

    /// The target's path, without the query; nil if there is none.
    private var path: Substring? {
        let target = uri.prefix { $0 != "?" }
        if target.hasPrefix("/") { return target }
        let lowercased = target.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowercased.hasPrefix) else { return nil }
        let rest = target.dropFirst(scheme.count)
        guard let first = rest.first, first != "/" else { return nil }
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }

    private var hostFault: String? {
        let hosts = headers["host"]
        guard let host = hosts.first else {
            return version == .http1_0 ? nil : "the header Host is missing"
        }
        if hosts.count > 1 { return "the header Host is given twice" }
        return host.utf8.allSatisfy(Self.isInHost) ? nil : "the header Host is not a host and a port"
    }

    /// Whether a byte can be part of a name, address or port (RFC 3986 §3.2.2).
    private static func isInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:[]%!$&'()*+;=".utf8.contains(byte)
        }
    }

    private var framingFault: String? {
        let codings = headers["transfer-encoding"]
        guard !codings.isEmpty else { return nil }
        if version == .http1_0 { return "HTTP/1.0 has no Transfer-Encoding" }
        if headers.contains(name: "content-length") { return "Transfer-Encoding and Content-Length are both given" }
        return codings.count == 1 && codings[0].lowercased() == "chunked"
            ? nil : "the Transfer-Encoding is not only chunked"
    }
}
