import CCurl
import WireFormats

/// An allowed URL: `https`, or `http` on loopback.
///
/// Keys and payments are never sent unencrypted (PortOne also refuses plain HTTP: V1 contract, transport). curl's own
/// parser reads the URL, so that the checked URL is the called URL.
package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    /// A name and its value in a query.
    package typealias Parameter = (name: String, value: String)

    /// Scheme, host, port and path.
    private let base: String

    /// The query with its `?`, or nothing.
    private let query: String

    /// The host as curl reads it, so `127.0.0.1` for `0x7f.1`.
    ///
    /// An IPv6 address is in brackets.
    package let host: String

    /// The port; nil: the scheme's.
    package let port: Int?

    /// Whether the scheme is `https`.
    package let isSecure: Bool

    /// The whole URL.
    package var text: String { base + query }

    /// The whole URL.
    package var description: String { text }

    /// Reads a URL.
    ///
    /// - Parameters:
    ///   - allowsPlainHTTP: whether `http` is allowed to any host, for what holds no secret.
    ///   - isBase: whether segments are to be added: a slash at the end of the path is removed.
    /// - Throws: ``TransportError/Code/invalidRequest``, naming the rule, if it is not allowed.
    package init(_ text: String, allowsPlainHTTP: Bool = false, isBase: Bool = true) throws(TransportError) {
        let parts = try URLParts(text)
        guard parts.user == nil, parts.password == nil else { throw Self.invalid("a URL must not contain credentials") }
        switch parts.scheme {
        case "https": isSecure = true
        case "http" where allowsPlainHTTP || Self.isLoopback(parts.host): isSecure = false
        default: throw Self.invalid("the URL must be https, or http to a loopback host")
        }
        let port = parts.port.map { ":" + $0 } ?? ""
        host = parts.host
        self.port = parts.port.flatMap { Int($0) }
        let path = isBase && parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
        base = parts.scheme + "://" + parts.host + port + path
        query = parts.query.map { "?" + $0 } ?? ""
    }

    private init(_ url: HTTPURL, base: String, query: String) {
        self.base = base
        self.query = query
        host = url.host
        port = url.port
        isSecure = url.isSecure
    }

    /// This URL with path segments added and its query replaced; both are percent-encoded.
    package func appending(_ segments: String..., query: [Parameter] = []) -> HTTPURL {
        appending(segments, query: query)
    }

    /// This URL with path segments added and its query replaced; both are percent-encoded.
    ///
    /// - Parameter verb: what follows the last segment after a colon, which is not encoded, as in Google's APIs
    ///   (`/orders/1:refund`).
    package func appending(_ segments: [String], verb: String? = nil, query: [Parameter] = []) -> HTTPURL {
        let path = segments.map { "/" + FormText.encode($0) }.joined() + (verb.map { ":" + FormText.encode($0) } ?? "")
        let pairs = query.map { FormText.encode($0.name) + "=" + FormText.encode($0.value) }.joined(separator: "&")
        return HTTPURL(self, base: base + path, query: pairs.isEmpty ? "" : "?" + pairs)
    }

    /// curl itself resolves `localhost` to loopback, independent of the name service.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
    }

    fileprivate static func invalid(_ rule: String) -> TransportError { TransportError(.invalidRequest, rule) }
}

/// The parts of a URL as curl reads them.
private struct URLParts {
    let scheme: String
    let user: String?
    let password: String?
    let host: String
    let port: String?
    let path: String
    let query: String?

    init(_ text: String) throws(TransportError) {
        guard let handle = curl_url() else { throw HTTPURL.invalid("out of memory") }
        defer { curl_url_cleanup(handle) }
        guard !text.utf8.contains(0), curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else {
            throw HTTPURL.invalid("not a URL")
        }
        guard let scheme = Self.part(CURLUPART_SCHEME, handle), let host = Self.part(CURLUPART_HOST, handle) else {
            throw HTTPURL.invalid("a URL needs a scheme and a host")
        }
        self.scheme = scheme
        self.host = host
        user = Self.part(CURLUPART_USER, handle)
        password = Self.part(CURLUPART_PASSWORD, handle)
        port = Self.part(CURLUPART_PORT, handle)
        path = Self.part(CURLUPART_PATH, handle) ?? "/"
        query = Self.part(CURLUPART_QUERY, handle)
    }

    private static func part(_ part: CURLUPart, _ handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
