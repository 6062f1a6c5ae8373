/// How PortOne V1 is reached, and with which rights.
public struct PortOneV1Configuration: Sendable {
    /// The API's address: `https://api.iamport.kr`, or a sandbox on this machine.
    public var url: HTTPURL

    /// `imp_key`.
    public var key: Secret

    /// `imp_secret`.
    public var secret: Secret

    /// Whether to ask for test-channel payments too (`include_sandbox`).
    ///
    /// Never in production.
    public var includeTestPayments: Bool

    /// How long and how hard it is asked.
    public var limits: GatewayLimits

    /// States the configuration; the defaults suit production.
    public init(
        url: HTTPURL, key: Secret, secret: Secret, includeTestPayments: Bool = false,
        limits: GatewayLimits = GatewayLimits()
    ) {
        self.url = url
        self.key = key
        self.secret = secret
        self.includeTestPayments = includeTestPayments
        self.limits = limits
    }
}
