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

    /// The API secret that V2 takes.
    public var v2Secret: String

    /// The store that the V2 secret belongs to.
    public var storeID: String

    /// The other stores that the V2 secret may act for; any further one is refused with 403.
    public var otherStoreIDs: Set<String>

    /// How many requests the journal remembers.
    public var journalCapacity: Int

    /// States the configuration; the defaults suit a machine of one's own.
    public init(
        host: String = "127.0.0.1", port: Int = 8081, v1Key: String = "sandbox-key",
        v1Secret: String = "sandbox-secret", v1WebhookURL: String? = nil,
        v2Secret: String = "sandbox-v2-secret", storeID: String = "store-sandbox", otherStoreIDs: Set<String> = [],
        journalCapacity: Int = 10_000
    ) {
        self.host = host
        self.port = port
        self.v1Key = v1Key
        self.v1Secret = v1Secret
        self.v1WebhookURL = v1WebhookURL
        self.v2Secret = v2Secret
        self.storeID = storeID
        self.otherStoreIDs = otherStoreIDs
        self.journalCapacity = journalCapacity
    }
}
