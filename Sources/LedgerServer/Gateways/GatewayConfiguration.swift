import OutboundHTTP
import PGVerifier

/// The settings of the payment gateways and their webhooks.
struct GatewayConfiguration: Sendable {
    /// Every gateway that the service knows, configured or not, in the order of ``Gateways/known``.
    static let known: [any GatewayAccess.Type] = [
        PortOneV1Access.self,
        PortOneV2Access.self,
        AppStoreAccess.self,
        GooglePlayAccess.self,
    ]

    /// The configured gateways, in the order of ``known``.
    let accesses: [any GatewayAccess]
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
        var accesses: [any GatewayAccess] = []
        for gateway in Self.known {
            if let access = try gateway.init(values) { accesses.append(access) }
        }
        self.accesses = accesses
        authoritiesFile = try values[Settings.gateways.caFile]
        allowTestPayments = try values[Settings.gateways.allowTestPayments]
        timeout = try values[Settings.gateways.timeout]
        callsPerSecond = try values[Settings.gateways.callsPerSecond]
        webhookSources = try values[Settings.webhooks.sources] ?? []
        trustedProxies = try values[Settings.http.trustedProxies] ?? []
        sweepInterval = try values[Settings.gateways.sweepInterval].duration
    }

    /// What to set so that one gateway is on, for a sentence.
    static var whatToSet: String { known.map { $0.requiredVariables }.joined(separator: ", or ") }

    /// The limits of requests to a gateway.
    var limits: GatewayLimits { GatewayLimits(totalTimeout: timeout, callsPerSecond: callsPerSecond) }
}
