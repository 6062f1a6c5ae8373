/// Where the stand-in gateway listens, and whom it takes for its merchant.
package struct SandboxGatewayConfiguration: Sendable {
    /// The address to listen at.
    package var host: String

    /// The port to listen at; 0 takes any free one.
    package var port: Int

    /// The `imp_key` that gets a token.
    package var v1Key: String

    /// The `imp_secret` that belongs to it.
    package var v1Secret: String

    /// Where V1 webhooks are sent, `http` only; nil sends none.
    package var v1WebhookURL: String?

    /// How V1 webhooks are written.
    package var v1WebhookEncoding: WebhookEncoding

    /// Whether a V1 webhook is tried up to five times more, a minute apart, when there was no answer or a 5xx.
    package var v1WebhookRetries: Bool

    /// The API secret that V2 takes.
    package var v2Secret: String

    /// The store that the V2 secret belongs to.
    package var storeID: String

    /// The other stores that the V2 secret may act for; any further one is refused with 403.
    package var otherStoreIDs: Set<String>

    /// Where V2 webhooks are sent, `http` only; nil sends none.
    package var v2WebhookURL: String?

    /// The secrets that V2 webhooks are signed with, `whsec_` and base64, at most two; without any they are unsigned.
    package var v2WebhookSecrets: [String]

    /// How V2 webhooks are written.
    package var v2WebhookVersion: WebhookVersion

    /// How many times faster than in the world the gateway's waits pass: retries of webhooks and their deadlines.
    package var timeScale: Double

    /// How many payments are remembered; the oldest are forgotten.
    package var paymentCapacity: Int

    /// How many requests the journal remembers.
    package var journalCapacity: Int

    /// States the configuration; the defaults suit a machine of one's own.
    package init(
        host: String = "127.0.0.1", port: Int = 8081, v1Key: String = "sandbox-key",
        v1Secret: String = "sandbox-secret", v1WebhookURL: String? = nil, v1WebhookEncoding: WebhookEncoding = .json,
        v1WebhookRetries: Bool = false,
        v2Secret: String = "sandbox-v2-secret", storeID: String = "store-sandbox", otherStoreIDs: Set<String> = [],
        v2WebhookURL: String? = nil, v2WebhookSecrets: [String] = [defaultWebhookSecret],
        v2WebhookVersion: WebhookVersion = .april2024,
        timeScale: Double = 1, paymentCapacity: Int = 100_000, journalCapacity: Int = 10_000
    ) {
        self.host = host
        self.port = port
        self.v1Key = v1Key
        self.v1Secret = v1Secret
        self.v1WebhookURL = v1WebhookURL
        self.v1WebhookEncoding = v1WebhookEncoding
        self.v1WebhookRetries = v1WebhookRetries
        self.v2Secret = v2Secret
        self.storeID = storeID
        self.otherStoreIDs = otherStoreIDs
        self.v2WebhookURL = v2WebhookURL
        self.v2WebhookSecrets = v2WebhookSecrets
        self.v2WebhookVersion = v2WebhookVersion
        self.timeScale = timeScale
        self.paymentCapacity = paymentCapacity
        self.journalCapacity = journalCapacity
    }

    /// What V2 webhooks are signed with unless something else is said.
    package static let defaultWebhookSecret = "whsec_c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA=="

    /// How a V1 webhook is written.
    package enum WebhookEncoding: String, Sendable, CaseIterable {
        /// `application/json`.
        case json
        /// `application/x-www-form-urlencoded`.
        case form
    }

    /// The version of V2's webhooks.
    package enum WebhookVersion: String, Sendable, CaseIterable {
        /// Type, time and data.
        case april2024 = "2024-04-25"
        /// Three members; neither the store nor the cancellation is told.
        case january2024 = "2024-01-01"
    }
}

/// The stores of the gateway's one merchant (PortOne V2 contract, store selection).
struct Stores: Sendable {
    /// The store that its secret belongs to.
    let main: String
    /// The others it may act for.
    let others: Set<String>

    func mayUse(_ store: String) -> Bool { store == main || others.contains(store) }
}
