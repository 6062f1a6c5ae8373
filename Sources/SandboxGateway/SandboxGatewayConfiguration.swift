/// Where the stand-in gateway listens, and whom it takes for its merchant.
public struct SandboxGatewayConfiguration: Sendable {
    /// The address to listen at.
    public var host: String

    /// The port to listen at; 0 takes any free one.
    public var port: Int

    /// The `imp_key` that gets a token.
    public var v1Key: String

    /// The `imp_secret` that belongs to it.
    public var v1Secret: String

    /// Where V1 webhooks are sent, `http` only; nil sends none.
    public var v1WebhookURL: String?

    /// How many requests the journal remembers.
    public var journalCapacity: Int

    /// States the configuration; the defaults suit a machine of one's own.
    public init(
        host: String = "127.0.0.1", port: Int = 8081, v1Key: String = "sandbox-key",
        v1Secret: String = "sandbox-secret", v1WebhookURL: String? = nil, journalCapacity: Int = 10_000
    ) {
        self.host = host
        self.port = port
        self.v1Key = v1Key
        self.v1Secret = v1Secret
        self.v1WebhookURL = v1WebhookURL
        self.journalCapacity = journalCapacity
    }
}
