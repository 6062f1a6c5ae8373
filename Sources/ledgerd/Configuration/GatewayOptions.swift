import ArgumentParser

/// The flags that tell how the gateways are reached.
///
/// All are texts, for "not given" must differ from any value.
struct GatewayOptions: ParsableArguments {
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
    @Option(name: .customLong(ConfigurationKeys.gatewayCAFile.flag), help: ConfigurationKeys.gatewayCAFile.help)
    var gatewayCAFile: String?
    @Option(help: ConfigurationKeys.webhookSources.help) var webhookSources: String?
    @Option(help: ConfigurationKeys.trustedProxies.help) var trustedProxies: String?
    @Option(help: ConfigurationKeys.sweepInterval.help) var sweepInterval: String?
    @Option(help: ConfigurationKeys.allowTestPayments.help) var allowTestPayments: String?
    @Option(help: ConfigurationKeys.gatewayTimeout.help) var gatewayTimeout: String?
    @Option(help: ConfigurationKeys.gatewayCallsPerSecond.help) var gatewayCallsPerSecond: String?

    /// What was given, by key name.
    var flags: [String: String?] {
        [
            ConfigurationKeys.portOneV1URL.name: portOneV1URL,
            ConfigurationKeys.portOneV1Key.name: portOneV1Key,
            ConfigurationKeys.portOneV1Secret.name: portOneV1Secret,
            ConfigurationKeys.portOneV2URL.name: portOneV2URL,
            ConfigurationKeys.portOneV2Secret.name: portOneV2Secret,
            ConfigurationKeys.portOneV2StoreID.name: portOneV2StoreID,
            ConfigurationKeys.portOneV2WebhookSecret.name: portOneV2WebhookSecret,
            ConfigurationKeys.gatewayCAFile.name: gatewayCAFile,
            ConfigurationKeys.webhookSources.name: webhookSources,
            ConfigurationKeys.trustedProxies.name: trustedProxies,
            ConfigurationKeys.sweepInterval.name: sweepInterval,
            ConfigurationKeys.allowTestPayments.name: allowTestPayments,
            ConfigurationKeys.gatewayTimeout.name: gatewayTimeout,
            ConfigurationKeys.gatewayCallsPerSecond.name: gatewayCallsPerSecond,
        ]
    }
}
