import Foundation
import Ledger
import Logging
import Postgres

/// Every setting there is.
///
/// Each is a flag, an environment variable and a key of the file.
enum ConfigurationKeys {
    static let databaseURL = ConfigurationKey(
        "database_url", "Where the ledger is, as a libpq URI; several hosts are allowed.",
        rule: "a libpq URI, postgresql://…", isSecret: true,
        parse: { text in (try? PostgresConfiguration(url: text)).map { _ in text } })
    static let allowOwner = ConfigurationKey<Bool>.bool(
        "allow_owner", "Whether to serve as a database role that can rewrite the books; for trying things out only.")
    static let listen = ConfigurationKey(
        "listen", "The address that HTTP is served on.", rule: "host:port, with a port from 0 to 65535",
        default: "127.0.0.1:8080", parse: ServeConfiguration.Listen.init(text:))

    static let portOneV1URL = ConfigurationKey(
        "portone_v1_url", "PortOne's V1 REST API.", rule: GatewayURL.rule, default: "https://api.iamport.kr",
        parse: GatewayURL.parse)
    static let portOneV1Key = ConfigurationKey(
        "portone_v1_key", "The REST API key (imp_key) of PortOne V1.", rule: SecretTexts.plainRule, isSecret: true,
        parse: SecretTexts.plain)
    static let portOneV1Secret = ConfigurationKey(
        "portone_v1_secret", "The REST API secret (imp_secret) of PortOne V1; without it V1 is off.",
        rule: SecretTexts.plainRule, isSecret: true, parse: SecretTexts.plain)

    static let portOneV2URL = ConfigurationKey(
        "portone_v2_url", "PortOne's V2 REST API.", rule: GatewayURL.rule, default: "https://api.portone.io",
        parse: GatewayURL.parse)
    static let portOneV2Secret = ConfigurationKey(
        "portone_v2_secret", "The API secret of PortOne V2; without it V2 is off.", rule: SecretTexts.plainRule,
        isSecret: true, parse: SecretTexts.plain)
    static let portOneV2StoreID = ConfigurationKey<String>.text(
        "portone_v2_store_id", "The store whose payments are taken (PortOne V2).")
    static let portOneV2WebhookSecret = ConfigurationKey(
        "portone_v2_webhook_secret", "What PortOne V2 signs its webhooks with; without it they are not taken.",
        rule: "one secret in base64 of 24 bytes or more, or two separated by a comma while one replaces the other; "
            + "never empty, for an empty secret would let anybody sign",
        isSecret: true, takesEmpty: true, parse: { WebhookSecrets.parse($0) })

    static let gatewayCAFile = ConfigurationKey(
        "gateway_ca_file", "The authorities that sign the gateways' certificates; without it, the system's.",
        rule: "the path of a PEM file with a certificate or more, which is trusted instead of the system's",
        parse: PEMFile.parse)

    static let webhookSources = ConfigurationKey(
        "webhook_sources", "The addresses that unsigned (V1) webhooks are taken from; without it, from any.",
        rule: "addresses or CIDR ranges separated by commas", parse: AddressRange.list)
    static let trustedProxies = ConfigurationKey(
        "trusted_proxies", "The proxies whose X-Forwarded-For is believed.",
        rule: "addresses or CIDR ranges separated by commas", parse: AddressRange.list)
    static let webhookRetention = ConfigurationKey<Duration>.duration(
        "webhook_retention", "How long webhook events are kept after they were decided.",
        in: .seconds(86_400)...(.seconds(86_400 * 3650)), default: .seconds(86_400 * 90))
    static let sweepInterval = ConfigurationKey<Duration>.duration(
        "sweep_interval", "How often the gateways' latest payments are walked, for what no webhook told.",
        in: .seconds(1)...(.seconds(86_400)), default: .seconds(600))

    static let reconcileAt = ConfigurationKey(
        "reconcile_at", "When the day before is compared with the gateways' payments, and healed.",
        rule: "a time of day such as 04:30, or off", default: "04:30", parse: TimeOfDay.init(text:))
    static let timeZone = ConfigurationKey(
        "time_zone", "The time zone of days and of times of day.", rule: "a name such as Asia/Seoul",
        default: "Asia/Seoul", parse: { TimeZone(identifier: $0) })

    static let sealKey = ConfigurationKey(
        "seal_key", "The Ed25519 key that seals of the books are signed with; without it there are none.",
        rule: "32 bytes in base64, as `ledgerd seal keygen` makes them", isSecret: true, parse: SealKey.init(base64:))

    static let jwtSecret = ConfigurationKey(
        "jwt_secret", "The HS256 secret of access tokens.", rule: "32 bytes or longer, with no blank at either end",
        isSecret: true, parse: { $0.utf8.count >= 32 && !SecretTexts.hasBlankAtAnEnd($0) ? $0 : nil })
    static let jwtJWKS = ConfigurationKey(
        "jwt_jwks", "A JWKS with the RSA, EC or Ed25519 keys of access tokens.",
        rule: "a file's path, or an https URL (http on this machine)", parse: JWKSLocation.init(text:))
    static let jwtIssuer = ConfigurationKey<String>.text("jwt_issuer", "The iss that access tokens must have.")
    static let jwtAudience = ConfigurationKey<String>.text("jwt_audience", "The aud that access tokens must have.")
    static let jwtUserClaim = ConfigurationKey(
        "jwt_user_claim", "The claim of access tokens that names the user.",
        rule: "a claim's name, not one that means something else", default: "sub",
        parse: { ["", "iss", "aud", "exp", "nbf", "iat", "jti", "scope"].contains($0) ? nil : $0 })
    static let jwtJWKSRefresh = ConfigurationKey<Duration>.duration(
        "jwt_jwks_refresh", "How often the JWKS is read again.", in: .seconds(1)...(.seconds(86_400)),
        default: .seconds(60))
    static let appKeys = ConfigurationKey(
        "app_keys", "The keys of the coin-shop apps, separated by commas.", rule: SecretTexts.rule(minimum: 16),
        isSecret: true, parse: { SecretTexts.parse($0, minimum: 16) })

    static let requireOrders = ConfigurationKey<Bool>.bool(
        "require_orders",
        "Whether only payments of an order made here are credited; not given: true, unless app_keys is set.",
        default: nil)
    static let paymentUserMembers = ConfigurationKey(
        "payment_user_members",
        "The members of a payment's custom data that name its user; they and V2's customer.id decide whose it is.",
        rule: "names separated by commas, or off", default: "user_id,userId",
        parse: { text -> [String]? in
            if text.lowercased() == "off" { return [] }
            let names = text.commaSeparated
            return names.isEmpty ? nil : names
        })
    static let claimGrace = ConfigurationKey<Duration>.duration(
        "claim_grace",
        "How long after it is paid a payment without an order that was presented before may be presented by others.",
        in: .zero...(.seconds(3600)), default: .seconds(30))
    static let refusedReceipts = ConfigurationKey<Int>.integer(
        "refused_receipts", "How many receipts that the gateway does not know one user may present an hour.",
        in: 1...10_000, default: 30)
    static let orderLifetime = ConfigurationKey<Duration>.duration(
        "order_lifetime", "How long an order keeps its price.", in: .seconds(60)...(.seconds(604_800)),
        default: .seconds(3600))
    static let allowTestPayments = ConfigurationKey<Bool>.bool(
        "allow_test_payments", "Whether payments of the gateway's test channel are credited.")
    static let lotOrder = ConfigurationKey(
        "lot_order", "In which order coins are used up.", rule: LotOrdering.rule,
        default: "earliest-expiry,bonus-first,oldest-first", parse: LotOrdering.parse)

    static let paidCoinLifetime = ConfigurationKey<Duration>.duration(
        "paid_coin_lifetime", "How long bought coins last after they are credited; not given: for ever.",
        in: .seconds(1)...(.seconds(86_400 * 36_500)))
    static let bonusCoinLifetime = ConfigurationKey<Duration>.duration(
        "bonus_coin_lifetime",
        "How long coins given with a purchase last after they are credited; not given: for ever.",
        in: .seconds(1)...(.seconds(86_400 * 36_500)))
    static let refundFeePercent = ConfigurationKey<Int>.integer(
        "refund_fee_percent", "What is kept of a refund, in percent of what its coins were bought for.", in: 0...99,
        default: 0)
    static let refundUsedBonus = ConfigurationKey<UsedBonus>.choice(
        "refund_used_bonus",
        "What becomes of used bonus coins of a purchase that is given back: charged against its bought coins, or left.",
        default: .charge)

    static let grantLimit = ConfigurationKey<Int64>.coins(
        "grant_limit", "The most coins of one grant; not given: as many as one act can move.", upTo: Coins.most)
    static let grantDailyLimit = ConfigurationKey<Int64>.coins(
        "grant_daily_limit", "The most coins that one caller gives on a day; not given: any number.",
        upTo: Coins.most * 1000)

    static let logLevel = ConfigurationKey<Logger.Level>.choice("log_level", "The lowest level logged.", default: .info)
    static let logFormat = ConfigurationKey<LogFormat>.choice(
        "log_format", "How log lines are written.", default: .text)

    static let writers = ConfigurationKey<Int>.integer(
        "writers", "How many connections write the ledger; each serves a share of the stripes.", in: 1...64, default: 2)
    static let readConnections = ConfigurationKey<Int>.integer(
        "read_connections", "How many connections read.", in: 1...256, default: 4)
    static let shutdownDeadline = ConfigurationKey<Duration>.duration(
        "shutdown_deadline", "How long requests in flight may take to end when the service stops.",
        in: .seconds(1)...(.seconds(600)), default: .seconds(20))
    static let shutdownDrain = ConfigurationKey<Duration>.duration(
        "shutdown_drain",
        "How long a service that stops still serves, not ready and telling clients to leave.",
        in: .zero...(.seconds(60)), default: .milliseconds(250))
    static let idleTimeout = ConfigurationKey<Duration>.duration(
        "idle_timeout",
        "How long a connection on which nothing comes stays open; longer than a load balancer keeps its own.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(75))
    static let requestTimeout = ConfigurationKey<Duration>.duration(
        "request_timeout", "How long a request may take to arrive, from its first byte to its last.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(30))
    static let writeTimeout = ConfigurationKey<Duration>.duration(
        "write_timeout", "How long a client may take nothing of an answer.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(30))
    static let maxConnections = ConfigurationKey<Int>.integer(
        "max_connections",
        "How many client connections are served at once; fewer when the limit of open files leaves no room.",
        in: 16...60_000, default: 8192)
    static let databasePatience = ConfigurationKey<Duration>.duration(
        "database_patience", "How long a database that can't be reached is waited for when the service starts.",
        in: .zero...(.seconds(600)), default: .seconds(30))
    static let gatewayTimeout = ConfigurationKey<Duration>.duration(
        "gateway_timeout", "How long the payment gateway may take to answer.",
        in: .milliseconds(100)...(.seconds(60)), default: .seconds(10))
    static let gatewayCallsPerSecond = ConfigurationKey<Int>.integer(
        "gateway_calls_per_second",
        "How many calls a second one process makes to a payment gateway; look-ups that have to wait share calls.",
        in: 1...100_000, default: 500)

    /// Every key, for the start-up log line and for telling a misspelt one in the file.
    static let all: [any ConfigurationDeclaration] = [
        databaseURL, allowOwner, listen, portOneV1URL, portOneV1Key, portOneV1Secret, portOneV2URL, portOneV2Secret,
        portOneV2StoreID, portOneV2WebhookSecret, gatewayCAFile, webhookSources, trustedProxies, webhookRetention,
        sweepInterval, reconcileAt, timeZone,
        sealKey, jwtSecret, jwtJWKS,
        jwtIssuer, jwtAudience, jwtUserClaim, jwtJWKSRefresh, appKeys, requireOrders, paymentUserMembers, claimGrace,
        refusedReceipts, orderLifetime, allowTestPayments, lotOrder, paidCoinLifetime,
        bonusCoinLifetime, refundFeePercent, refundUsedBonus, grantLimit, grantDailyLimit, logLevel, logFormat,
        writers, readConnections, shutdownDeadline, shutdownDrain, idleTimeout, requestTimeout, writeTimeout,
        maxConnections, databasePatience, gatewayTimeout, gatewayCallsPerSecond,
    ]
}
