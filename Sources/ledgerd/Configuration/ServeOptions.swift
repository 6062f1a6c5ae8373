import ArgumentParser

/// The flags of `ledgerd serve` beside the common ones.
///
/// All are texts, for "not given" must differ from any value.
struct ServeOptions: ParsableArguments {
    @OptionGroup var gateways: GatewayOptions
    @Option(help: ConfigurationKeys.listen.help) var listen: String?
    @Option(name: .customLong(ConfigurationKeys.jwtSecret.flag), help: ConfigurationKeys.jwtSecret.help)
    var jwtSecret: String?
    @Option(name: .customLong(ConfigurationKeys.jwtJWKS.flag), help: ConfigurationKeys.jwtJWKS.help)
    var jwtJWKS: String?
    @Option(help: ConfigurationKeys.jwtIssuer.help) var jwtIssuer: String?
    @Option(help: ConfigurationKeys.jwtAudience.help) var jwtAudience: String?
    @Option(help: ConfigurationKeys.appKeys.help) var appKeys: String?
    @Option(help: ConfigurationKeys.requireOrders.help) var requireOrders: String?
    @Option(help: ConfigurationKeys.orderLifetime.help) var orderLifetime: String?
    @Option(help: ConfigurationKeys.reconcileAt.help) var reconcileAt: String?
    @Option(help: ConfigurationKeys.timeZone.help) var timeZone: String?
    @Option(help: ConfigurationKeys.sealKey.help) var sealKey: String?
    @Option(help: ConfigurationKeys.lotOrder.help) var lotOrder: String?
    @Option(help: ConfigurationKeys.paidCoinLifetime.help) var paidCoinLifetime: String?
    @Option(help: ConfigurationKeys.bonusCoinLifetime.help) var bonusCoinLifetime: String?
    @Option(help: ConfigurationKeys.refundFeePercent.help) var refundFeePercent: String?
    @Option(help: ConfigurationKeys.writers.help) var writers: String?
    @Option(help: ConfigurationKeys.readConnections.help) var readConnections: String?
    @Option(help: ConfigurationKeys.shutdownDeadline.help) var shutdownDeadline: String?
    @Option(help: ConfigurationKeys.shutdownDrain.help) var shutdownDrain: String?
    @Option(help: ConfigurationKeys.idleTimeout.help) var idleTimeout: String?
    @Option(help: ConfigurationKeys.databasePatience.help) var databasePatience: String?

    /// The settings given as flags, by key name.
    var flags: [String: String?] {
        let own: [String: String?] = [
            ConfigurationKeys.listen.name: listen,
            ConfigurationKeys.jwtSecret.name: jwtSecret,
            ConfigurationKeys.jwtJWKS.name: jwtJWKS,
            ConfigurationKeys.jwtIssuer.name: jwtIssuer,
            ConfigurationKeys.jwtAudience.name: jwtAudience,
            ConfigurationKeys.appKeys.name: appKeys,
            ConfigurationKeys.requireOrders.name: requireOrders,
            ConfigurationKeys.orderLifetime.name: orderLifetime,
            ConfigurationKeys.reconcileAt.name: reconcileAt,
            ConfigurationKeys.timeZone.name: timeZone,
            ConfigurationKeys.sealKey.name: sealKey,
            ConfigurationKeys.lotOrder.name: lotOrder,
            ConfigurationKeys.paidCoinLifetime.name: paidCoinLifetime,
            ConfigurationKeys.bonusCoinLifetime.name: bonusCoinLifetime,
            ConfigurationKeys.refundFeePercent.name: refundFeePercent,
            ConfigurationKeys.writers.name: writers,
            ConfigurationKeys.readConnections.name: readConnections,
            ConfigurationKeys.shutdownDeadline.name: shutdownDeadline,
            ConfigurationKeys.shutdownDrain.name: shutdownDrain,
            ConfigurationKeys.idleTimeout.name: idleTimeout,
            ConfigurationKeys.databasePatience.name: databasePatience,
        ]
        return own.merging(gateways.flags) { own, _ in own }
    }
}
