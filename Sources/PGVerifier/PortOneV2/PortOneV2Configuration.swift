/// The address and credentials of PortOne V2.
public struct PortOneV2Configuration: Sendable {
    /// The API's address: `https://api.portone.io`, or a sandbox on this machine.
    public var url: HTTPURL

    /// The V2 API secret.
    public var secret: Secret

    /// Our store; sent with every request and compared with every response.
    public var storeID: String

    /// Timeouts and limits of calls.
    public var limits: GatewayLimits

    /// A configuration; the defaults are for production.
    public init(url: HTTPURL, secret: Secret, storeID: String, limits: GatewayLimits = GatewayLimits()) {
        self.url = url
        self.secret = secret
        self.storeID = storeID
        self.limits = limits
    }
}
