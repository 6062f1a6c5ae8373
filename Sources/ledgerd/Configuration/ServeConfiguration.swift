import Foundation
import Ledger
import Logging

/// Everything that `ledgerd serve` is told, read and checked once.
///
/// A setting that stands for itself is read by its declaration: `try configuration[Settings.http.listen]`.
struct ServeConfiguration: Sendable {
    private let settings: SettingValues

    let gateways: GatewayConfiguration
    let jwt: JWT
    /// Whether only payments of an order made here are credited.
    let requireOrders: Bool
    /// Whose a payment without an order is.
    let claims: ClaimRules
    /// How long coins that are bought last.
    let coinLifetimes: CoinLifetimes
    /// What is kept of refunds, and what becomes of used bonus coins.
    let refundPolicy: RefundPolicy
    /// How much services may give.
    let grantLimits: GrantLimits

    /// - Throws: ``ConfigurationError`` for the first setting that is missing, invalid or contradicts another.
    init(_ values: SettingValues) throws(ConfigurationError) {
        let settings = try values.checked()
        self.settings = settings
        gateways = try GatewayConfiguration(settings)
        jwt = try JWT(settings)
        requireOrders = try settings.requireOrders
        claims = try ClaimRules(settings)
        coinLifetimes = try CoinLifetimes(settings)
        refundPolicy = RefundPolicy(
            feePercent: Int64(try settings[Settings.coins.refundFeePercent]),
            usedBonus: try settings[Settings.coins.refundUsedBonus])
        grantLimits = try GrantLimits(settings)
        try settings.requireTwoListeners()
    }

    /// The value of a setting, which was checked before.
    subscript<Value>(setting: Setting<Value>) -> Value {
        get throws(ConfigurationError) { try settings[setting] }
    }

    /// What is set, by name, without secrets: for the start-up log line.
    var effective: [String: String] { settings.effective }

    /// The settings as metadata of a log line.
    var logMetadata: Logger.Metadata {
        effective.mapValues { .string($0) }
    }
}
