import Foundation
import Ledger
import Logging

/// The settings of `ledgerd serve`, read and checked once.
///
/// Settings that need no conversion are read by their declaration: `try configuration[Settings.http.listen]`.
struct ServeConfiguration: Sendable {
    private let settings: SettingValues

    let gateways: GatewayConfiguration
    let jwt: JWT
    /// Whether only payments of an order are credited.
    let requireOrders: Bool
    /// The rules for who can claim a payment without an order.
    let claims: ClaimRules
    /// The lifetimes of purchased coins.
    let coinLifetimes: CoinLifetimes
    let storeTrials: StoreTrials
    /// How the days of lots are counted.
    let coinDays: CoinDays.Setting
    /// The fee of refunds, and the treatment of used bonus coins.
    let refundPolicy: RefundPolicy
    /// What VAT is booked of.
    let vatSettings: VATSettings
    /// The limits of grants by services.
    let grantLimits: GrantLimits
    /// What users may give to each other.
    let giftSettings: GiftSettings
    /// The rules for prepaid means.
    let prepaidRules: PrepaidRules
    /// How users are forgotten.
    let forgettingRules: ForgettingRules
    /// The most that may move in an hour before a finding asks why.
    let hourlyLimits: HourlyLimits
    /// The console; nil if it is off.
    let console: ConsoleConfiguration?
    /// The keys and allowed addresses of webhooks out.
    let endpoints: EndpointConfiguration

    /// - Throws: ``ConfigurationError`` for the first setting that is missing, invalid or contradicts another.
    init(_ values: SettingValues) throws(ConfigurationError) {
        let settings = try values.checked()
        self.settings = settings
        gateways = try GatewayConfiguration(settings)
        jwt = try JWT(settings)
        requireOrders = try settings.requireOrders
        claims = try ClaimRules(settings)
        coinLifetimes = try CoinLifetimes(settings)
        storeTrials = try StoreTrials(settings)
        coinDays = try settings.coinDays
        refundPolicy = try RefundPolicy(settings)
        vatSettings = try settings.vatSettings
        grantLimits = try GrantLimits(settings)
        giftSettings = try GiftSettings(settings)
        prepaidRules = try PrepaidRules(settings)
        forgettingRules = try ForgettingRules(settings)
        hourlyLimits = try HourlyLimits(settings)
        console = try ConsoleConfiguration(settings)
        endpoints = try EndpointConfiguration(settings)
        try settings.requireTwoListeners()
    }

    /// The value of a setting.
    subscript<Value>(setting: Setting<Value>) -> Value {
        get throws(ConfigurationError) { try settings[setting] }
    }

    /// The standby that exports are read from; nil: they are read from the primary.
    var replica: BooksSource.Replica? {
        get throws { try settings.replica }
    }

    /// The settings that differ from their defaults, by name, without secrets and people's ids.
    var changed: [String: String] { settings.changed }

    /// What the log says of a service that serves: its version, addresses and gateways, and the settings that differ from
    /// their defaults.
    ///
    /// The addresses take the place of the settings `listen` and `admin_listen`, because they have the ports.
    ///
    /// - Parameter adminAddress: the address of monitoring, if it has one of its own.
    func logMetadata(address: String, adminAddress: String?) -> Logger.Metadata {
        var metadata = changed.mapValues { Logger.MetadataValue.string($0) }
        metadata[Settings.http.listen.name] = nil
        metadata[Settings.http.adminListen.name] = nil
        metadata["version"] = .string(BuildInfo.current.text)
        metadata["address"] = .string(address)
        metadata["admin_address"] = adminAddress.map { .string($0) }
        metadata["gateways"] = .string(gateways.accesses.map { type(of: $0).title }.joined(separator: ", "))
        return metadata
    }
}
