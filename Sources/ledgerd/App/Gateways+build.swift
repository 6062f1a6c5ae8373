import Logging
import OutboundHTTP
import PGVerifier

extension CurlTransport {
    /// A transport that trusts the certificate authorities of the settings.
    convenience init(_ configuration: GatewayConfiguration) {
        self.init(CurlTransport.Configuration(authoritiesFile: configuration.authoritiesFile))
    }
}

extension Gateways {
    /// Builds the configured gateways.
    ///
    /// - Throws: ``ConfigurationError`` when no gateway is configured.
    static func build(
        _ configuration: GatewayConfiguration, transport: any HTTPTransport, logger: Logger
    ) throws -> Gateways {
        guard configuration.portOneV1 != nil || configuration.portOneV2 != nil else {
            throw ConfigurationError.conflict(
                "portone_v1_secret",
                "no gateway is configured: set LEDGERD_PORTONE_V1_KEY and LEDGERD_PORTONE_V1_SECRET, or "
                    + "LEDGERD_PORTONE_V2_SECRET (settings portone_v1_key, portone_v1_secret, portone_v2_secret)")
        }
        let limits = GatewayLimits(
            totalTimeout: configuration.timeout, callsPerSecond: configuration.callsPerSecond)
        let v1 = try configuration.portOneV1.map { settings in
            PortOneV1(
                configuration: PortOneV1Configuration(
                    url: try HTTPURL(settings.url), key: Secret(settings.key), secret: Secret(settings.secret),
                    includeTestPayments: configuration.allowTestPayments, limits: limits),
                transport: transport, logger: logger)
        }
        let v2 = try configuration.portOneV2.map { settings in
            PortOneV2(
                configuration: PortOneV2Configuration(
                    url: try HTTPURL(settings.url), secret: Secret(settings.secret), storeID: settings.storeID,
                    limits: limits),
                transport: transport)
        }
        let all: [(any PaymentGateway)?] = [v1, v2]
        return Gateways(all.compactMap(\.self))
    }
}
