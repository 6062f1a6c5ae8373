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
        guard !configuration.accesses.isEmpty else {
            let names = GatewayConfiguration.known.flatMap { $0.required }.map(\.name)
            throw ConfigurationError.conflict(
                names.first ?? "",
                "no gateway is configured: set \(GatewayConfiguration.whatToSet) (settings "
                    + "\(names.joined(separator: ", ")))")
        }
        return Gateways(
            try configuration.accesses.map { try $0.connect(configuration, over: transport, logger: logger) })
    }
}
