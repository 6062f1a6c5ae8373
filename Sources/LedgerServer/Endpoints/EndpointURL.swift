import OutboundHTTP

/// The rules for URLs that webhooks are sent to.
struct EndpointURL: Sendable {
    /// Which addresses may be connected to.
    let addressGuard: AddressGuard

    /// The maximum length.
    private static let maxLength = 2000
    /// Names that are loopback by definition (RFC 6761).
    private static let localName = "localhost"

    /// Checks a URL.
    ///
    /// A host name is not resolved here: its address is checked for each connection, because it can change.
    ///
    /// - Returns: nil for an allowed URL; otherwise the rule that it breaks.
    func violatedRule(_ text: String) -> String? {
        guard text.unicodeScalars.count <= Self.maxLength else {
            return "must have at most \(Self.maxLength) characters"
        }
        let url: HTTPURL
        do throws(TransportError) {
            url = try HTTPURL(text, isBase: false)
        } catch {
            return "must be an https URL without credentials"
        }
        let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        let isLocal = host == Self.localName || host.hasSuffix("." + Self.localName)
        guard addressGuard.allows(isLocal ? "127.0.0.1" : host) ?? true else {
            return "must not have a host of a private network; the setting endpoint_networks can allow it"
        }
        // Below 1024 are the ports of other protocols.
        guard let port = url.port, port != 443 else { return nil }
        return (1024...65535).contains(port) ? nil : "must have the port 443, or one from 1024 to 65535"
    }
}
