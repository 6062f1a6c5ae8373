import SandboxSupport

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
        for url in [v1URL, v2URL].compactMap(\.self) where WebhookTarget(url) == nil {
            throw SandboxGatewayError(description: "the webhook URL must be an http URL with a host")
        }
    }
}
