/// The address and credentials of the sandbox gateway.
package struct SandboxGatewayConfiguration: Sendable {
    /// The address to listen on.
    package var host: String

    /// The port to listen on; 0 for any free port.
    package var port: Int

    /// The accepted `imp_key`.
    package var v1Key: String

    /// Its `imp_secret`.
    package var v1Secret: String

    /// Where V1 webhooks are sent, `http` only; nil sends none.
    package var v1WebhookURL: String?

    /// The encoding of V1 webhooks.
    package var v1WebhookEncoding: WebhookEncoding

    /// Whether a V1 webhook is retried up to five times, a minute apart, after no response or a 5xx.
    package var v1WebhookRetries: Bool

    /// The accepted V2 API secret.
    package var v2Secret: String

    /// The store of the V2 secret.
    package var storeID: String

    /// Other stores of the V2 secret; any further store gets 403.
    package var otherStoreIDs: Set<String>

    /// Where V2 webhooks are sent, `http` only; nil sends none.
    package var v2WebhookURL: String?

    /// The signing secrets of V2 webhooks, `whsec_` and base64, at most two; without one, webhooks are unsigned.
    package var v2WebhookSecrets: [String]

    /// The version of V2 webhooks.
    package var v2WebhookVersion: WebhookVersion

    /// The factor by which delays are shortened: webhook retries and timeouts.
    package var timeScale: Double

    /// The file that keeps the payments over a restart; nil keeps them in memory only.
    package var dataFile: String?

    /// The maximum number of payments; the oldest are dropped.
    package var paymentCapacity: Int

    /// The maximum number of requests in the journal.
    package var journalCapacity: Int

    /// The client that people sign in to with the sandbox's OpenID Connect provider.
    package var signInClient = SignInClient(id: "ledgerd-console", secret: "sandbox-console-secret")

    /// A client of the OpenID Connect provider.
    package struct SignInClient: Sendable {
        let id: String
        let secret: String
    }

    /// A configuration; the defaults are for a local machine.
    package init(
        host: String = "127.0.0.1", port: Int = 8081, v1Key: String = "sandbox-key",
        v1Secret: String = "sandbox-secret", v1WebhookURL: String? = nil, v1WebhookEncoding: WebhookEncoding = .json,
        v1WebhookRetries: Bool = false,
        v2Secret: String = "sandbox-v2-secret", storeID: String = "store-sandbox", otherStoreIDs: Set<String> = [],
        v2WebhookURL: String? = nil, v2WebhookSecrets: [String] = [defaultWebhookSecret],
        v2WebhookVersion: WebhookVersion = .april2024,
        timeScale: Double = 1, dataFile: String? = nil, paymentCapacity: Int = 100_000,
        journalCapacity: Int = 10_000
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
        self.dataFile = dataFile
        self.paymentCapacity = paymentCapacity
        self.journalCapacity = journalCapacity
    }

    /// The default signing secret of V2 webhooks.
    package static let defaultWebhookSecret = "whsec_c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA=="

    /// The encoding of a V1 webhook.
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
        /// Three members, without store and cancellation.
        case january2024 = "2024-01-01"
    }
}

/// The stores of the gateway's one merchant (PortOne V2 contract, store selection).
struct Stores: Sendable {
    /// The store that its secret belongs to.
    let main: String
    /// Its other stores.
    let others: Set<String>

    func mayUse(_ store: String) -> Bool { store == main || others.contains(store) }
}
