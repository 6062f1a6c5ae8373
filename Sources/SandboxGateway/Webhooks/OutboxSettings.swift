import FoundationEssentials

/// The checked webhook settings.
struct OutboxSettings: Sendable {
    let v1URL: String?
    let v1IsForm: Bool
    let v1Retries: Bool
    let v2URL: String?
    let v2Version: SandboxGatewayConfiguration.WebhookVersion
    let signer: OutboxSigner

    /// - Throws: ``SandboxGatewayError`` if a URL or a secret is invalid.
    init(_ configuration: SandboxGatewayConfiguration) throws {
        v1URL = configuration.v1WebhookURL
        v1IsForm = configuration.v1WebhookEncoding == .form
        v1Retries = configuration.v1WebhookRetries
        v2URL = configuration.v2WebhookURL
        v2Version = configuration.v2WebhookVersion
        signer = try OutboxSigner(secrets: configuration.v2WebhookSecrets)
        for url in [v1URL, v2URL].compactMap(\.self) { _ = try WebhookTarget(url) }
    }
}

/// The URL of a webhook receiver: `http` only, because the receiver is on the same machine.
struct WebhookTarget: Hashable, Sendable {
    let host: String
    let port: Int
    let path: String

    /// - Throws: ``SandboxGatewayError`` if `text` isn't an `http` URL with a host.
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
