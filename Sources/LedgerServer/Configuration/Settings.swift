import Foundation
import Ledger
import Logging
import OutboundHTTP
import Postgres

/// All settings.
///
/// Each setting is declared here once and read as `try values[Settings.http.listen]`. Its flag, environment variable,
/// help and documentation use the declaration.
enum Settings {
    static let database = DatabaseSettings()
    static let http = HTTPSettings()
    static let tokens = TokenSettings()
    static let gateways = GatewaySettings()
    static let webhooks = WebhookSettings()
    static let receipts = ReceiptSettings()
    static let coins = CoinSettings()
    static let books = BookSettings()
    static let prepaid = PrepaidSettings()
    static let alerts = AlertSettings()
    static let endpoints = EndpointSettings()
    static let personalData = PersonalDataSettings()
    static let log = LogSettings()
    static let metrics = MetricSettings()
    static let traces = TraceSettings()
    static let console = ConsoleSettings()

    /// The groups, in the order of the documentation.
    static let groups: [any SettingGroup] = [
        database, http, tokens, gateways, webhooks, receipts, coins, books, prepaid, alerts, endpoints, personalData,
        log, metrics, traces, console,
    ]

    /// All settings, in the order of the documentation.
    static let all = groups.flatMap(\.settings)
}

/// Settings that are documented together; each property is a setting, or some.
protocol SettingGroup: Sendable {
    /// The title of the group.
    var title: String { get }
}

extension SettingGroup {
    /// The settings of the group, in the order of their declarations.
    var settings: [any SettingDeclaration] {
        Mirror(reflecting: self).children.flatMap { child in
            if let setting = child.value as? any SettingDeclaration { return [setting] }
            return child.value as? [any SettingDeclaration] ?? []
        }
    }
}

struct DatabaseSettings: SettingGroup {
    let title = "Database"

    let databaseURL = Setting(
        "database_url",
        "The ledger's database: a libpq URI with the service's role. Several hosts are allowed.",
        rule: "a libpq URI, postgresql://…", isSecret: true,
        parse: { text in (try? PostgresConfiguration(url: text)).map { _ in text } })
    let replicaURL = Setting(
        "replica_url",
        "A standby of the database, for exports, doctor and drill: a libpq URI. Of several hosts, a standby is preferred. "
            + "Everything else is read from database_url.",
        rule: "a libpq URI, postgresql://…", unset: "all is read from database_url", isSecret: true,
        parse: { text in (try? PostgresConfiguration(url: text)).map { _ in text } })
    let replicaPatience = Setting.duration(
        "replica_patience",
        "How long an export, doctor or drill waits until the standby has everything that the primary had when it began. "
            + "After that it fails.",
        in: .zero...(.seconds(86_400)), default: .seconds(10))
    let lookupPatience = Setting.duration(
        "lookup_patience",
        "How long a request waits for a look-up in the database. After that, the response is database_unavailable. The "
            + "database ends a look-up after 10 s in any case. For a free connection, a request waits as long, and at least 5 s.",
        in: .milliseconds(100)...(.seconds(3600)), default: .milliseconds(1_500))
    let allowOwner = Setting.bool(
        "allow_owner", "Whether to accept a database role that can change the books. Keep false in production.")
    let writers = Setting.integer(
        "writers", "The number of connections that write to the ledger. All but the first are used only under load.",
        in: 1...64,
        default: 2)
    let planPurchases = Setting.bool(
        "plan_purchases",
        "Whether purchases are planned by the service as other acts are, and not decided by a function of the database. For "
            + "comparisons, and if that function ever fails.")
    let readConnections = Setting.integer(
        "read_connections", "The number of connections that read lists and reports.", in: 1...256, default: 4)
    let patience = Setting.duration(
        "database_patience", "How long the service waits at startup for a database that can't be reached.",
        in: .zero...(.seconds(600)), default: .seconds(30))
}

struct HTTPSettings: SettingGroup {
    let title = "HTTP"

    let listen = Setting(
        "listen", "The address to listen on for HTTP. Background services start when the service listens.",
        rule: "host:port, with a port from 0 to 65535", default: "127.0.0.1:8080",
        parse: ServeConfiguration.Listen.init(text:))
    let adminListen = Setting(
        "admin_listen",
        "The address that /metrics, /health/live and /health/ready are served on, for monitoring. /metrics is then on no "
            + "other address; /health stays on both.",
        rule: "host:port, with a port from 0 to 65535, not that of listen", unset: "listen serves them",
        parse: ServeConfiguration.Listen.init(text:))
    let trustedProxies = Setting(
        "trusted_proxies", "The proxies whose X-Forwarded-For is trusted.",
        rule: "addresses or CIDR ranges separated by commas", unset: "none", parse: AddressRange.list)
    let maxConnections = Setting.integer(
        "max_connections",
        "The maximum number of client connections. The limit of open files can reduce it.",
        in: 16...60_000, default: 8192)
    let idleTimeout = Setting.duration(
        "idle_timeout",
        "How long an idle connection stays open. Set it longer than the idle timeout of the load balancer.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(75))
    let requestTimeout = Setting.duration(
        "request_timeout",
        "The maximum time from a request's first byte to its last, plus 1 s for each 64 KiB. After that, the response "
            + "is 408.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(30))
    let writeTimeout = Setting.duration(
        "write_timeout",
        "The maximum time in which a client must read 16 KiB of a response, or all of a shorter one. After that, the "
            + "connection is closed.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(30))
    let shutdownDrain = Setting.duration(
        "shutdown_drain",
        "How long a stopping service still serves requests, while it is not ready and responses close their "
            + "connections. Set it longer than a load balancer needs to detect that the service is not ready.",
        in: .zero...(.seconds(60)), default: .milliseconds(250))
    let shutdownDeadline = Setting.duration(
        "shutdown_deadline", "How long a stopping service waits for running requests, including shutdown_drain.",
        in: .seconds(1)...(.seconds(600)), default: .seconds(20))
}

struct TokenSettings: SettingGroup {
    let title = "Access tokens and app keys"

    let secret = Setting(
        "jwt_secret", "The HS256 secret of access tokens. Set either jwt_secret or jwt_jwks.",
        rule: "at least 32 bytes, without a space at either end", unset: "jwt_jwks is used", isSecret: true,
        parse: { $0.utf8.count >= 32 && !SecretTexts.hasBlankAtAnEnd($0) ? $0 : nil })
    let jwks = Setting(
        "jwt_jwks", "A JWKS with the RSA, EC or Ed25519 keys of access tokens.",
        rule: "the path of a file, or an https URL (http on this machine)", unset: "jwt_secret is used",
        completion: .file(), parse: JWKSLocation.init(text:))
    let jwksRefresh = Setting.duration(
        "jwt_jwks_refresh", "The time between two reads of the JWKS.", in: .seconds(1)...(.seconds(86_400)),
        default: .seconds(60))
    let issuer = Setting.text("jwt_issuer", "The iss that access tokens must have.", unset: "any")
    let audience = Setting.text("jwt_audience", "The aud that access tokens must have.", unset: "any")
    let userClaim = Setting(
        "jwt_user_claim", "The claim of access tokens with the user's id.",
        rule: "the name of a claim, but not iss, aud, exp, nbf, iat, jti or scope", default: "sub",
        parse: { ["", "iss", "aud", "exp", "nbf", "iat", "jti", "scope"].contains($0) ? nil : $0 })
    let appKeys = Setting(
        "app_keys", "The keys of the coin-shop apps, which use /v1/store.", rule: SecretTexts.rule(minimum: 16),
        unset: "apps are refused", isSecret: true, parse: { SecretTexts.parse($0, minimum: 16) })
}

struct GatewaySettings: SettingGroup {
    let title = "Payment gateways"

    /// The settings of each gateway.
    let ofGateways: [any SettingDeclaration] = GatewayConfiguration.known.flatMap { $0.settings }
    let allowTestPayments = Setting.bool(
        "allow_test_payments", "Whether payments of the gateway's test channel are credited. Keep false in production.")
    let caFile = Setting(
        "gateway_ca_file",
        "A PEM file with the certificate authorities of the gateways, used instead of the system's authorities.",
        rule: "the path of a PEM file with at least one certificate", unset: "the system's authorities",
        completion: .file(), parse: PEMFile.parse)
    let timeout = Setting.duration(
        "gateway_timeout", "The timeout of requests to the payment gateway.",
        in: .milliseconds(100)...(.seconds(60)), default: .seconds(10))
    let callsPerSecond = Setting.integer(
        "gateway_calls_per_second",
        "The maximum number of requests per second from one process to each gateway. After a pause, the requests of "
            + "one second can be sent at once. Waiting V1 look-ups share requests, up to 100 per request.",
        in: 1...100_000, default: 500)
    let sweepInterval = Setting.interval(
        "sweep_interval",
        "The time between two checks of the gateways' latest payments, and of the App Store's notifications, for changes "
            + "without a webhook. The first is made at the start.",
        in: .seconds(1)...(.seconds(86_400)), default: .seconds(600))
}

struct LogSettings: SettingGroup {
    let title = "Logs"

    let level = Setting<Logger.Level>.choice("log_level", "The lowest level of logged messages.", default: .info)
    let format = Setting<LogFormat>.choice(
        "log_format", "The format of log lines: text for people, json for log collectors, journal for systemd.",
        default: .text)
}

struct MetricSettings: SettingGroup {
    let title = "Metrics"

    let endpoint = CollectorSettings.endpoint(of: "metrics", unset: "metrics are only at /metrics")
    let headers = CollectorSettings.headers(of: "metrics")
    let interval = Setting.duration(
        "metrics_interval",
        "The time between two requests with metrics to the collector. The first is sent at the start.",
        in: .seconds(1)...(.seconds(3600)), default: .seconds(60))
}

struct TraceSettings: SettingGroup {
    let title = "Traces"

    let endpoint = CollectorSettings.endpoint(of: "traces", unset: "nothing is traced")
    let headers = CollectorSettings.headers(of: "traces")
    let sampleRatio = Setting(
        "traces_sample_ratio",
        "The share of the traces that begin here which are recorded. A caller's traceparent decides for its own trace.",
        rule: "a number from 0 to 1", default: "1",
        parse: { text in Double(text).flatMap { (0...1).contains($0) ? $0 : nil } })
    let gatewayHeader = Setting.bool(
        "traces_gateway_header", "Whether requests to the payment gateways carry traceparent.")
}
