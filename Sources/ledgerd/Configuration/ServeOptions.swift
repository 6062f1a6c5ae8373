import ArgumentParser

/// The flags of `ledgerd serve` beside the common ones.
///
/// All are texts, for "not given" must differ from any value.
struct ServeOptions: ParsableArguments {
    @Option(help: ConfigurationKeys.listen.help) var listen: String?
    @Option(name: .customLong(ConfigurationKeys.portOneV1URL.flag), help: ConfigurationKeys.portOneV1URL.help)
    var portOneV1URL: String?
    @Option(name: .customLong(ConfigurationKeys.portOneV1Key.flag), help: ConfigurationKeys.portOneV1Key.help)
    var portOneV1Key: String?
    @Option(name: .customLong(ConfigurationKeys.portOneV1Secret.flag), help: ConfigurationKeys.portOneV1Secret.help)
    var portOneV1Secret: String?
    @Option(name: .customLong(ConfigurationKeys.portOneV2URL.flag), help: ConfigurationKeys.portOneV2URL.help)
    var portOneV2URL: String?
    @Option(name: .customLong(ConfigurationKeys.portOneV2Secret.flag), help: ConfigurationKeys.portOneV2Secret.help)
    var portOneV2Secret: String?
    @Option(name: .customLong(ConfigurationKeys.portOneV2StoreID.flag), help: ConfigurationKeys.portOneV2StoreID.help)
    var portOneV2StoreID: String?
    @Option(
        name: .customLong(ConfigurationKeys.portOneV2WebhookSecret.flag),
        help: ConfigurationKeys.portOneV2WebhookSecret.help)
    var portOneV2WebhookSecret: String?
    @Option(help: ConfigurationKeys.webhookSources.help) var webhookSources: String?
    @Option(help: ConfigurationKeys.trustedProxies.help) var trustedProxies: String?
    @Option(help: ConfigurationKeys.sweepInterval.help) var sweepInterval: String?
    @Option(name: .customLong(ConfigurationKeys.jwtSecret.flag), help: ConfigurationKeys.jwtSecret.help)
    var jwtSecret: String?
    @Option(name: .customLong(ConfigurationKeys.jwtJWKS.flag), help: ConfigurationKeys.jwtJWKS.help)
    var jwtJWKS: String?
    @Option(help: ConfigurationKeys.jwtIssuer.help) var jwtIssuer: String?
    @Option(help: ConfigurationKeys.jwtAudience.help) var jwtAudience: String?
    @Option(help: ConfigurationKeys.appKeys.help) var appKeys: String?
    @Option(help: ConfigurationKeys.requireOrders.help) var requireOrders: String?
    @Option(help: ConfigurationKeys.allowTestPayments.help) var allowTestPayments: String?
    @Option(help: ConfigurationKeys.lotOrder.help) var lotOrder: String?
    @Option(help: ConfigurationKeys.writers.help) var writers: String?
    @Option(help: ConfigurationKeys.readConnections.help) var readConnections: String?
    @Option(help: ConfigurationKeys.shutdownDeadline.help) var shutdownDeadline: String?
    @Option(help: ConfigurationKeys.shutdownDrain.help) var shutdownDrain: String?
    @Option(help: ConfigurationKeys.idleTimeout.help) var idleTimeout: String?
    @Option(help: ConfigurationKeys.databasePatience.help) var databasePatience: String?
    @Option(help: ConfigurationKeys.gatewayTimeout.help) var gatewayTimeout: String?

    /// The settings given as flags, by key name.
    var flags: [String: String?] {
        [
            ConfigurationKeys.listen.name: listen,
            ConfigurationKeys.portOneV1URL.name: portOneV1URL,
            ConfigurationKeys.portOneV1Key.name: portOneV1Key,
            ConfigurationKeys.portOneV1Secret.name: portOneV1Secret,
            ConfigurationKeys.portOneV2URL.name: portOneV2URL,
            ConfigurationKeys.portOneV2Secret.name: portOneV2Secret,
            ConfigurationKeys.portOneV2StoreID.name: portOneV2StoreID,
            ConfigurationKeys.portOneV2WebhookSecret.name: portOneV2WebhookSecret,
            ConfigurationKeys.webhookSources.name: webhookSources,
            ConfigurationKeys.trustedProxies.name: trustedProxies,
            ConfigurationKeys.sweepInterval.name: sweepInterval,
            ConfigurationKeys.jwtSecret.name: jwtSecret,
            ConfigurationKeys.jwtJWKS.name: jwtJWKS,
            ConfigurationKeys.jwtIssuer.name: jwtIssuer,
            ConfigurationKeys.jwtAudience.name: jwtAudience,
            ConfigurationKeys.appKeys.name: appKeys,
            ConfigurationKeys.requireOrders.name: requireOrders,
            ConfigurationKeys.allowTestPayments.name: allowTestPayments,
            ConfigurationKeys.lotOrder.name: lotOrder,
            ConfigurationKeys.writers.name: writers,
            ConfigurationKeys.readConnections.name: readConnections,
            ConfigurationKeys.shutdownDeadline.name: shutdownDeadline,
            ConfigurationKeys.shutdownDrain.name: shutdownDrain,
            ConfigurationKeys.idleTimeout.name: idleTimeout,
            ConfigurationKeys.databasePatience.name: databasePatience,
            ConfigurationKeys.gatewayTimeout.name: gatewayTimeout,
        ]
    }
}
