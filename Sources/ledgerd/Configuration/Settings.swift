import Foundation
import Ledger
import Logging
import Postgres

/// Every setting that there is.
///
/// A setting is declared here, once, and read as `try values[Settings.http.listen]`. Its flag, its variable, its help and
/// its line in the documentation follow from the declaration.
enum Settings {
    static let database = DatabaseSettings()
    static let http = HTTPSettings()
    static let tokens = TokenSettings()
    static let gateways = GatewaySettings()
    static let webhooks = WebhookSettings()
    static let receipts = ReceiptSettings()
    static let coins = CoinSettings()
    static let books = BookSettings()
    static let log = LogSettings()
    static let traces = TraceSettings()

    /// The groups, in the order in which they are documented.
    static let groups: [any SettingGroup] = [
        database, http, tokens, gateways, webhooks, receipts, coins, books, log, traces,
    ]

    /// Every setting, in the order in which it is documented.
    static let all = groups.flatMap(\.settings)
}

/// Settings that are documented together: one property each.
protocol SettingGroup: Sendable {
    /// The title of the group.
    var title: String { get }
}

extension SettingGroup {
    /// The settings of the group, in the order of their declarations.
    var settings: [any SettingDeclaration] {
        Mirror(reflecting: self).children.compactMap { $0.value as? any SettingDeclaration }
    }
}

struct DatabaseSettings: SettingGroup {
    let title = "Database"

    let databaseURL = Setting(
        "database_url",
        "The ledger's database, as a libpq URI that logs in as the service's role. Several hosts are allowed.",
        rule: "a libpq URI, postgresql://…", isSecret: true,
        parse: { text in (try? PostgresConfiguration(url: text)).map { _ in text } })
    let allowOwner = Setting.bool(
        "allow_owner", "Whether to serve as a database role that can rewrite the books. Never true in production.")
    let writers = Setting.integer(
        "writers", "How many connections write to the ledger. Each serves a share of the stripes.", in: 1...64,
        default: 2)
    let readConnections = Setting.integer(
        "read_connections", "How many connections read from the ledger.", in: 1...256, default: 4)
    let patience = Setting.duration(
        "database_patience", "How long the service waits at its start for a database that can't be reached.",
        in: .zero...(.seconds(600)), default: .seconds(30))
}

struct HTTPSettings: SettingGroup {
    let title = "HTTP"

    let listen = Setting(
        "listen", "The address that HTTP is served on. The background services start once the service listens there.",
        rule: "host:port, with a port from 0 to 65535", default: "127.0.0.1:8080",
        parse: ServeConfiguration.Listen.init(text:))
    let trustedProxies = Setting(
        "trusted_proxies", "The proxies whose X-Forwarded-For is believed.",
        rule: "addresses or CIDR ranges separated by commas", unset: "none", parse: AddressRange.list)
    let maxConnections = Setting.integer(
        "max_connections",
        "How many client connections are served at once; fewer when the limit of open files leaves no room.",
        in: 16...60_000, default: 8192)
    let idleTimeout = Setting.duration(
        "idle_timeout",
        "How long an idle connection stays open. Set it longer than the load balancer's own idle timeout.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(75))
    let requestTimeout = Setting.duration(
        "request_timeout",
        "How long a request may take to arrive, from its first byte to its last, plus 1 s for every 64 KiB. After that "
            + "the answer is 408.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(30))
    let writeTimeout = Setting.duration(
        "write_timeout",
        "How long a client may take to read 16 KiB of an answer, or all of a shorter one. After that the connection is "
            + "cut.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(30))
    let shutdownDrain = Setting.duration(
        "shutdown_drain",
        "How long a stopping service still serves, not ready and telling clients to leave. Behind a load balancer, set "
            + "it longer than the load balancer needs to notice.",
        in: .zero...(.seconds(60)), default: .milliseconds(250))
    let shutdownDeadline = Setting.duration(
        "shutdown_deadline", "How long a stopping service waits for requests in flight, shutdown_drain included.",
        in: .seconds(1)...(.seconds(600)), default: .seconds(20))
}

struct TokenSettings: SettingGroup {
    let title = "Access tokens and app keys"

    let secret = Setting(
        "jwt_secret", "The HS256 secret of access tokens. Set either this or jwt_jwks.",
        rule: "32 bytes or longer, with no blank at either end", unset: "jwt_jwks is used", isSecret: true,
        parse: { $0.utf8.count >= 32 && !SecretTexts.hasBlankAtAnEnd($0) ? $0 : nil })
    let jwks = Setting(
        "jwt_jwks", "A JWKS with the RSA, EC or Ed25519 keys of access tokens.",
        rule: "a file's path, or an https URL (http on this machine)", unset: "jwt_secret is used",
        completion: .file(), parse: JWKSLocation.init(text:))
    let jwksRefresh = Setting.duration(
        "jwt_jwks_refresh", "How often the JWKS is read again.", in: .seconds(1)...(.seconds(86_400)),
        default: .seconds(60))
    let issuer = Setting.text("jwt_issuer", "The iss that access tokens must have.", unset: "any")
    let audience = Setting.text("jwt_audience", "The aud that access tokens must have.", unset: "any")
    let userClaim = Setting(
        "jwt_user_claim", "The claim of access tokens that names the user.",
        rule: "a claim's name, not one that means something else", default: "sub",
        parse: { ["", "iss", "aud", "exp", "nbf", "iat", "jti", "scope"].contains($0) ? nil : $0 })
    let appKeys = Setting(
        "app_keys", "The keys of the coin-shop apps, which use /v1/store.", rule: SecretTexts.rule(minimum: 16),
        unset: "apps are refused", isSecret: true, parse: { SecretTexts.parse($0, minimum: 16) })
}

struct GatewaySettings: SettingGroup {
    let title = "Payment gateways"

    let v1URL = Setting(
        "portone_v1_url", "The URL of PortOne's V1 REST API.", rule: GatewayURL.rule, default: "https://api.iamport.kr",
        parse: GatewayURL.parse)
    let v1Key = Setting(
        "portone_v1_key", "The REST API key (imp_key) of PortOne V1.", rule: SecretTexts.plainRule, unset: "V1 is off",
        isSecret: true, parse: SecretTexts.plain)
    let v1Secret = Setting(
        "portone_v1_secret", "The REST API secret (imp_secret) of PortOne V1.", rule: SecretTexts.plainRule,
        unset: "V1 is off", isSecret: true, parse: SecretTexts.plain)
    let v2URL = Setting(
        "portone_v2_url", "The URL of PortOne's V2 REST API.", rule: GatewayURL.rule, default: "https://api.portone.io",
        parse: GatewayURL.parse)
    let v2Secret = Setting(
        "portone_v2_secret", "The API secret of PortOne V2.", rule: SecretTexts.plainRule, unset: "V2 is off",
        isSecret: true, parse: SecretTexts.plain)
    let v2StoreID = Setting.text(
        "portone_v2_store_id", "The PortOne V2 store whose payments are taken. Required with portone_v2_secret.",
        unset: "V2 is off")
    let allowTestPayments = Setting.bool(
        "allow_test_payments", "Whether payments of the gateway's test channel are credited. Never true in production.")
    let caFile = Setting(
        "gateway_ca_file",
        "A PEM file of the authorities that sign the gateways' certificates, trusted instead of the system's.",
        rule: "the path of a PEM file with a certificate or more", unset: "the system's authorities",
        completion: .file(), parse: PEMFile.parse)
    let timeout = Setting.duration(
        "gateway_timeout", "How long the payment gateway may take to answer a request.",
        in: .milliseconds(100)...(.seconds(60)), default: .seconds(10))
    let callsPerSecond = Setting.integer(
        "gateway_calls_per_second",
        "How many calls a second one process makes to each gateway. After silence, a second's worth may come at once. V1 "
            + "look-ups that have to wait share calls, up to 100 a call.",
        in: 1...100_000, default: 500)
    let sweepInterval = Setting.duration(
        "sweep_interval", "How often the gateways' latest payments are checked for what no webhook reported.",
        in: .seconds(1)...(.seconds(86_400)), default: .seconds(600))
}

struct WebhookSettings: SettingGroup {
    let title = "Webhooks"

    let v2Secrets = Setting(
        "portone_v2_webhook_secret", "The secret that PortOne V2 signs its webhooks with.",
        rule: "one secret in base64 of 24 bytes or more, or two separated by a comma while one replaces the other; "
            + "never empty, for an empty secret would let anybody sign",
        unset: "V2's webhooks are refused", isSecret: true, takesEmpty: true, parse: { WebhookSecrets.parse($0) })
    let sources = Setting(
        "webhook_sources",
        "The addresses that V1's unsigned webhooks are taken from. PortOne names 52.78.100.19, 52.78.48.223 and "
            + "52.78.5.241.",
        rule: "addresses or CIDR ranges separated by commas", unset: "any address", parse: AddressRange.list)
    let retention = Setting.duration(
        "webhook_retention", "How long webhook events are kept after they were processed.",
        in: .seconds(86_400)...(.seconds(86_400 * 3650)), default: .seconds(86_400 * 90))
}

struct ReceiptSettings: SettingGroup {
    let title = "Receipts and orders"

    let requireOrders = Setting.bool(
        "require_orders", "Whether only payments of an order made with POST /v1/orders are credited.",
        unset: "true, or false where app_keys is set")
    let orderLifetime = Setting.duration(
        "order_lifetime", "How long an order keeps its price.", in: .seconds(60)...(.seconds(604_800)),
        default: .seconds(3600))
    let userMembers = Setting(
        "payment_user_members",
        "The members of a payment's custom data that name its user. They and V2's customer.id decide whose it is.",
        rule: "names separated by commas, or off", default: "user_id,userId",
        parse: { text -> [String]? in
            if text.lowercased() == "off" { return [] }
            let names = text.commaSeparated
            return names.isEmpty ? nil : names
        })
    let claimGrace = Setting.duration(
        "claim_grace",
        "How long after it is paid a payment without an order that was presented before may be presented by others.",
        in: .zero...(.seconds(3600)), default: .seconds(30))
    let refusedReceipts = Setting.integer(
        "refused_receipts", "How many receipts that the gateway does not know one user may present an hour.",
        in: 1...10_000, default: 30)
}

struct CoinSettings: SettingGroup {
    let title = "Coins, grants and refunds"

    let lotOrder = Setting(
        "lot_order", "Which coins are used first.", rule: LotOrdering.rule,
        default: "earliest-expiry,bonus-first,oldest-first", parse: LotOrdering.parse)
    let paidLifetime = Setting.duration(
        "paid_coin_lifetime", "How long paid coins last after they are credited.",
        in: .seconds(1)...(.seconds(86_400 * 36_500)), unset: "for ever")
    let bonusLifetime = Setting.duration(
        "bonus_coin_lifetime", "How long the bonus coins of a purchase last after they are credited.",
        in: .seconds(1)...(.seconds(86_400 * 36_500)), unset: "for ever")
    let grantLimit = Setting.coins("grant_limit", "The most coins of one grant.", upTo: Coins.most)
    let grantDailyLimit = Setting.coins(
        "grant_daily_limit", "The most coins that one caller grants on a day, over all processes.",
        upTo: Coins.most * 1000)
    let refundFeePercent = Setting.integer(
        "refund_fee_percent", "What is kept of a refund, in percent of the price of the refunded coins.", in: 0...99,
        default: 0)
    let refundUsedBonus = Setting<UsedBonus>.choice(
        "refund_used_bonus",
        "What happens to used bonus coins of a purchase that is refunded or cancelled: charge takes paid coins of the "
            + "purchase for them, one for one; forgive takes none.",
        default: .charge)
}

struct BookSettings: SettingGroup {
    let title = "Books and days"

    let timeZone = Setting(
        "time_zone",
        "The time zone of days and times of day: exports, reconciliation, settlements, closing and sealing.",
        rule: "a name such as Asia/Seoul", default: "Asia/Seoul", parse: { TimeZone(identifier: $0) })
    let reconcileAt = Setting(
        "reconcile_at", "When the day before is reconciled with the gateways' payments, and healed.",
        rule: "a time of day such as 04:30, or off", default: "04:30", parse: TimeOfDay.init(text:))
    let sealKey = Setting(
        "seal_key", "The Ed25519 key that signs the daily seals of the books.",
        rule: "32 bytes in base64, as `ledgerd seal keygen` makes them", unset: "the books are not sealed",
        isSecret: true, parse: SealKey.init(base64:))
}

struct LogSettings: SettingGroup {
    let title = "Logs"

    let level = Setting<Logger.Level>.choice("log_level", "The lowest level that is logged.", default: .info)
    let format = Setting<LogFormat>.choice(
        "log_format", "How log lines are written: json for collectors, journal for systemd.", default: .text)
}

struct TraceSettings: SettingGroup {
    let title = "Traces"

    let endpoint = Setting(
        "traces_endpoint",
        "The OpenTelemetry collector that traces are sent to (OTLP over HTTP, binary). Without a path, /v1/traces is "
            + "added.",
        rule: "an http or https URL without query", unset: "nothing is traced", parse: TraceEndpoint.parse)
    let headers = Setting(
        "traces_headers", "Header fields of the requests to the collector, such as its key.",
        rule: "name=value, separated by commas, values percent-encoded", unset: "none", isSecret: true,
        parse: TraceHeaders.parse)
    let sampleRatio = Setting(
        "traces_sample_ratio",
        "The share of the traces that begin here which are recorded. A caller's traceparent decides for its own trace.",
        rule: "a number from 0 to 1", default: "1",
        parse: { text in Double(text).flatMap { (0...1).contains($0) ? $0 : nil } })
    let gatewayHeader = Setting.bool(
        "traces_gateway_header", "Whether requests to the payment gateways carry traceparent.")
}
