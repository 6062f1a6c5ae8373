import ArgumentParser

/// The flags of `ledgerd serve` beside the common ones.
///
/// All are texts, for "not given" must differ from any value.
struct ServeOptions: ParsableArguments {
    @OptionGroup var gateways: GatewayOptions
    @Option(help: ConfigurationKeys.allowOwner.help) var allowOwner: String?
    @Option(help: ConfigurationKeys.listen.help) var listen: String?
    @Option(name: .customLong(ConfigurationKeys.jwtSecret.flag), help: ConfigurationKeys.jwtSecret.help)
    var jwtSecret: String?
    @Option(name: .customLong(ConfigurationKeys.jwtJWKS.flag), help: ConfigurationKeys.jwtJWKS.help)
    var jwtJWKS: String?
    @Option(help: ConfigurationKeys.jwtIssuer.help) var jwtIssuer: String?
    @Option(help: ConfigurationKeys.jwtAudience.help) var jwtAudience: String?
    @Option(help: ConfigurationKeys.jwtUserClaim.help) var jwtUserClaim: String?
    @Option(name: .customLong(ConfigurationKeys.jwtJWKSRefresh.flag), help: ConfigurationKeys.jwtJWKSRefresh.help)
    var jwtJWKSRefresh: String?
    @Option(help: ConfigurationKeys.appKeys.help) var appKeys: String?
    @Option(help: ConfigurationKeys.requireOrders.help) var requireOrders: String?
    @Option(help: ConfigurationKeys.paymentUserMembers.help) var paymentUserMembers: String?
    @Option(help: ConfigurationKeys.claimGrace.help) var claimGrace: String?
    @Option(help: ConfigurationKeys.refusedReceipts.help) var refusedReceipts: String?
    @Option(help: ConfigurationKeys.webhookRetention.help) var webhookRetention: String?
    @Option(help: ConfigurationKeys.orderLifetime.help) var orderLifetime: String?
    @Option(help: ConfigurationKeys.reconcileAt.help) var reconcileAt: String?
    @Option(help: ConfigurationKeys.timeZone.help) var timeZone: String?
    @Option(help: ConfigurationKeys.sealKey.help) var sealKey: String?
    @Option(help: ConfigurationKeys.lotOrder.help) var lotOrder: String?
    @Option(help: ConfigurationKeys.paidCoinLifetime.help) var paidCoinLifetime: String?
    @Option(help: ConfigurationKeys.bonusCoinLifetime.help) var bonusCoinLifetime: String?
    @Option(help: ConfigurationKeys.refundFeePercent.help) var refundFeePercent: String?
    @Option(help: ConfigurationKeys.refundUsedBonus.help) var refundUsedBonus: String?
    @Option(help: ConfigurationKeys.grantLimit.help) var grantLimit: String?
    @Option(help: ConfigurationKeys.grantDailyLimit.help) var grantDailyLimit: String?
    @Option(help: ConfigurationKeys.writers.help) var writers: String?
    @Option(help: ConfigurationKeys.readConnections.help) var readConnections: String?
    @Option(help: ConfigurationKeys.shutdownDeadline.help) var shutdownDeadline: String?
    @Option(help: ConfigurationKeys.shutdownDrain.help) var shutdownDrain: String?
    @Option(help: ConfigurationKeys.idleTimeout.help) var idleTimeout: String?
    @Option(help: ConfigurationKeys.requestTimeout.help) var requestTimeout: String?
    @Option(help: ConfigurationKeys.writeTimeout.help) var writeTimeout: String?
    @Option(help: ConfigurationKeys.maxConnections.help) var maxConnections: String?
    @Option(help: ConfigurationKeys.databasePatience.help) var databasePatience: String?

    /// The settings given as flags, by key name.
    var flags: [String: String?] {
        let own: [String: String?] = [
            ConfigurationKeys.allowOwner.name: allowOwner,
            ConfigurationKeys.listen.name: listen,
            ConfigurationKeys.jwtSecret.name: jwtSecret,
            ConfigurationKeys.jwtJWKS.name: jwtJWKS,
            ConfigurationKeys.jwtIssuer.name: jwtIssuer,
            ConfigurationKeys.jwtAudience.name: jwtAudience,
            ConfigurationKeys.jwtUserClaim.name: jwtUserClaim,
            ConfigurationKeys.jwtJWKSRefresh.name: jwtJWKSRefresh,
            ConfigurationKeys.appKeys.name: appKeys,
            ConfigurationKeys.requireOrders.name: requireOrders,
            ConfigurationKeys.paymentUserMembers.name: paymentUserMembers,
            ConfigurationKeys.claimGrace.name: claimGrace,
            ConfigurationKeys.refusedReceipts.name: refusedReceipts,
            ConfigurationKeys.webhookRetention.name: webhookRetention,
            ConfigurationKeys.orderLifetime.name: orderLifetime,
            ConfigurationKeys.reconcileAt.name: reconcileAt,
            ConfigurationKeys.timeZone.name: timeZone,
            ConfigurationKeys.sealKey.name: sealKey,
            ConfigurationKeys.lotOrder.name: lotOrder,
            ConfigurationKeys.paidCoinLifetime.name: paidCoinLifetime,
            ConfigurationKeys.bonusCoinLifetime.name: bonusCoinLifetime,
            ConfigurationKeys.refundFeePercent.name: refundFeePercent,
            ConfigurationKeys.refundUsedBonus.name: refundUsedBonus,
            ConfigurationKeys.grantLimit.name: grantLimit,
            ConfigurationKeys.grantDailyLimit.name: grantDailyLimit,
            ConfigurationKeys.writers.name: writers,
            ConfigurationKeys.readConnections.name: readConnections,
            ConfigurationKeys.shutdownDeadline.name: shutdownDeadline,
            ConfigurationKeys.shutdownDrain.name: shutdownDrain,
            ConfigurationKeys.idleTimeout.name: idleTimeout,
            ConfigurationKeys.requestTimeout.name: requestTimeout,
            ConfigurationKeys.writeTimeout.name: writeTimeout,
            ConfigurationKeys.maxConnections.name: maxConnections,
            ConfigurationKeys.databasePatience.name: databasePatience,
        ]
        return own.merging(gateways.flags) { own, _ in own }
    }
}
