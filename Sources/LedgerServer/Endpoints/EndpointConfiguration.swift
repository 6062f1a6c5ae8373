import OutboundHTTP

/// The settings of webhooks out.
struct EndpointConfiguration: Sendable {
    /// nil: no webhooks are sent.
    let keys: EndpointKeys?
    /// Which addresses webhooks may be sent to.
    let addressGuard: AddressGuard
    /// The PEM file of the certificate authorities; nil: the system's.
    let authoritiesFile: String?

    init(_ values: SettingValues) throws(ConfigurationError) {
        keys = EndpointKeys(
            masters: try values[Settings.endpoints.key] ?? [], signing: try values[Settings.endpoints.signingKeys] ?? []
        )
        addressGuard = AddressGuard(allowing: try values[Settings.endpoints.networks] ?? [])
        authoritiesFile = try values[Settings.endpoints.authoritiesFile]
    }
}

extension CurlTransport {
    /// A transport for endpoints, of its own: its connections are all to allowed addresses, and slow receivers take none
    /// from the gateways.
    convenience init(_ configuration: EndpointConfiguration) {
        self.init(
            CurlTransport.Configuration(
                maxConnectionsPerHost: 256, maxConnections: 4096, authoritiesFile: configuration.authoritiesFile,
                addressGuard: configuration.addressGuard))
    }
}
