/// How PortOne V2 is reached, and with which rights.
public struct PortOneV2Configuration: Sendable {
    /// The API's address: `https://api.portone.io`, or a sandbox on this machine.
    public var url: HTTPURL

    /// The V2 API secret.
    public var secret: Secret

    /// The store whose payments are ours; always sent, and compared with every answer.
    public var storeID: String

    /// How long and how hard it is asked.
    public var limits: GatewayLimits

    /// States the configuration; the defaults suit production.
    public init(url: HTTPURL, secret: Secret, storeID: String, limits: GatewayLimits = GatewayLimits()) {
        self.url = url
        self.secret = secret
        self.storeID = storeID
        self.limits = limits
    }
}
