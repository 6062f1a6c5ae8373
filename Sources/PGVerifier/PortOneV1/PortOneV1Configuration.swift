/// The address and credentials of PortOne V1.
public struct PortOneV1Configuration: Sendable {
    /// The API's address: `https://api.iamport.kr`, or a sandbox on this machine.
    public var url: HTTPURL

    /// `imp_key`.
    public var key: Secret

    /// `imp_secret`.
    public var secret: Secret

    /// Whether to include test-channel payments (`include_sandbox`).
    ///
    /// Never in production.
    public var includeTestPayments: Bool

    /// Timeouts and limits of calls.
    public var limits: GatewayLimits

    /// A configuration; the defaults are for production.
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
