import OutboundHTTP

/// The settings of the payment gateways and their webhooks.
struct GatewayConfiguration: Sendable {
    /// PortOne's V1 API; nil if it is off.
    let portOneV1: PortOneV1?
    /// PortOne's V2 API; nil if it is off.
    let portOneV2: PortOneV2?
    /// The PEM file of the certificate authorities of the gateways; nil: the system's authorities.
    let authoritiesFile: String?
    /// Whether payments of the gateway's test channel are credited.
    let allowTestPayments: Bool
    /// The timeout of requests to a gateway.
    let timeout: Duration
    /// The maximum number of requests per second from this process to a gateway.
    let callsPerSecond: Int
    /// The addresses from which unsigned webhooks are accepted; empty: any.
    let webhookSources: [AddressRange]
    /// The proxies whose `X-Forwarded-For` is trusted.
    let trustedProxies: [AddressRange]
    /// The time between two sweeps of the gateways' latest payments; nil: none are made.
    let sweepInterval: Duration?

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
        sweepInterval = try values[Settings.gateways.sweepInterval].duration
    }
}
