/// How the gateways are reached, and what is believed of them.
struct GatewayConfiguration: Sendable {
    /// PortOne's V1 API; nil when it is off.
    let portOneV1: PortOneV1?
    /// PortOne's V2 API; nil when it is off.
    let portOneV2: PortOneV2?
    /// The PEM file of the authorities that sign the gateways' certificates; nil: the system's.
    let authoritiesFile: String?
    /// Whether payments of the gateway's test channel are credited.
    let allowTestPayments: Bool
    /// How long a gateway may take to answer.
    let timeout: Duration
    /// How many calls a second one process makes to a gateway.
    let callsPerSecond: Int
    /// The addresses that unsigned webhooks are taken from; empty: any.
    let webhookSources: [AddressRange]
    /// The proxies whose `X-Forwarded-For` is believed.
    let trustedProxies: [AddressRange]
    /// How often the gateways' latest payments are walked.
    let sweepInterval: Duration

    /// - Throws: ``ConfigurationError`` for the first setting that is invalid or contradicts another.
    init(_ values: SettingValues) throws(ConfigurationError) {
        portOneV1 = try PortOneV1(values)
        portOneV2 = try PortOneV2(values)
        authoritiesFile = try values[Settings.gateways.caFile]
        allowTestPayments = try values[Settings.gateways.allowTestPayments]
        timeout = try values[Settings.gateways.timeout]
        callsPerSecond = try values[Settings.gateways.callsPerSecond]
        webhookSources = try values[Settings.webhooks.sources] ?? []
        trustedProxies = try values[Settings.http.trustedProxies] ?? []
        sweepInterval = try values[Settings.gateways.sweepInterval]
    }
}
