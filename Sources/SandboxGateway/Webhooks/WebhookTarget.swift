import FoundationEssentials

/// Where webhooks are sent.
///
/// `http` only: the receiver is on the same machine.
struct WebhookTarget: Hashable, Sendable {
    let host: String
    let port: Int
    let path: String

    /// - Throws: ``SandboxGatewayError`` if `text` isn't such a URL.
    init(_ text: String) throws {
        guard let url = URL(string: text), url.scheme == "http", let host = url.host(), !host.isEmpty else {
            throw SandboxGatewayError(description: "the webhook URL must be an http URL with a host")
        }
        self.host = host
        port = url.port ?? 80
        let query = url.query().map { "?" + $0 } ?? ""
        path = (url.path().isEmpty ? "/" : url.path()) + query
    }
}
