import Foundation
import Ledger
import Logging

/// Everything that `ledgerd serve` is told, read and checked once.
struct ServeConfiguration: Sendable {
    /// Where the ledger is, as a libpq URI.
    ///
    /// A secret: it holds the password.
    let databaseURL: String
    /// Whether the database role may be one that can rewrite the books.
    let allowOwner: Bool
    let listen: Listen
    let gateways: GatewayConfiguration
    let jwt: JWT
    /// The keys of the coin-shop apps; none, and those paths refuse everybody.
    let appKeys: Set<String>
    /// Whether only payments of an order made here are credited.
    let requireOrders: Bool
    /// Whose a payment without an order is.
    let claims: ClaimRules
    /// How many receipts that the gateway does not know one user may present an hour.
    let refusedReceipts: Int
    /// How long webhook events are kept after they were decided.
    let webhookRetention: Duration
    /// How long an order keeps its price.
    let orderLifetime: Duration
    /// When the day before is reconciled.
    let reconcileAt: TimeOfDay
    /// The time zone of days and of times of day.
    let timeZone: TimeZone
    /// What seals of the books are signed with; nil: they are not sealed.
    let sealKey: SealKey?
    /// In which order coins are used up.
    let lotOrder: LotOrdering
    /// How long coins that are bought last.
    let coinLifetimes: CoinLifetimes
    /// What is kept of refunds, and what becomes of used bonus coins.
    let refundPolicy: RefundPolicy
    /// How much services may give.
    let grantLimits: GrantLimits
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// How many connections write the ledger.
    let writers: Int
    /// How many connections read.
    let readPoolSize: Int
    /// How long requests in flight may take to end when the service stops.
    let shutdownDeadline: Duration
    /// How long a service that stops still serves, telling clients to leave.
    let shutdownDrain: Duration
    /// How long a connection on which nothing comes stays open.
    let idleTimeout: Duration
    /// How long a request may take to arrive.
    let requestTimeout: Duration
    /// How long a client may take nothing of an answer.
    let writeTimeout: Duration
    /// How many client connections are served at once, if as many files may be open.
    let maxConnections: Int
    /// How long a database that can't be reached is waited for when the service starts.
    let databasePatience: Duration
    /// What is set, by key name, without secrets: for the start-up log line.
    let effective: [String: String]

    /// - Throws: ``ConfigurationError`` for the first setting that is missing, invalid or contradicts another.
    init(_ values: ConfigurationValues) throws(ConfigurationError) {
        databaseURL = try values.required(ConfigurationKeys.databaseURL)
        allowOwner = try values.required(ConfigurationKeys.allowOwner)
        listen = try values.required(ConfigurationKeys.listen)
        gateways = try GatewayConfiguration(values)
        jwt = try JWT(values)
        appKeys = Set(try values.value(ConfigurationKeys.appKeys) ?? [])
        requireOrders = try values.requireOrders
        claims = try ClaimRules(values)
        refusedReceipts = try values.required(ConfigurationKeys.refusedReceipts)
        webhookRetention = try values.required(ConfigurationKeys.webhookRetention)
        orderLifetime = try values.required(ConfigurationKeys.orderLifetime)
        reconcileAt = try values.required(ConfigurationKeys.reconcileAt)
        timeZone = try values.required(ConfigurationKeys.timeZone)
        sealKey = try values.value(ConfigurationKeys.sealKey)
        lotOrder = try values.required(ConfigurationKeys.lotOrder)
        coinLifetimes = try CoinLifetimes(values)
        refundPolicy = RefundPolicy(
            feePercent: Int64(try values.required(ConfigurationKeys.refundFeePercent)),
            usedBonus: try values.required(ConfigurationKeys.refundUsedBonus))
        grantLimits = try GrantLimits(values)
        logLevel = try values.required(ConfigurationKeys.logLevel)
        logFormat = try values.required(ConfigurationKeys.logFormat)
        writers = try values.required(ConfigurationKeys.writers)
        readPoolSize = try values.required(ConfigurationKeys.readConnections)
        shutdownDeadline = try values.required(ConfigurationKeys.shutdownDeadline)
        shutdownDrain = try values.required(ConfigurationKeys.shutdownDrain)
        idleTimeout = try values.required(ConfigurationKeys.idleTimeout)
        requestTimeout = try values.required(ConfigurationKeys.requestTimeout)
        writeTimeout = try values.required(ConfigurationKeys.writeTimeout)
        maxConnections = try values.required(ConfigurationKeys.maxConnections)
        databasePatience = try values.required(ConfigurationKeys.databasePatience)
        effective = values.effective
    }

    /// The settings as metadata of a log line.
    var logMetadata: Logger.Metadata {
        effective.mapValues { .string($0) }
    }
}
