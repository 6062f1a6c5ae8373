/// How PortOne V1 is reached, and with which rights.
public struct PortOneV1Configuration: Sendable {
    /// The API's address: `https://api.iamport.kr`, or a sandbox on this machine.
    public var url: HTTPURL

    /// `imp_key`.
    public var key: Secret

    /// `imp_secret`.
    public var secret: Secret

    /// How long making a connection may take.
    public var connectTimeout: Duration

    /// How long one question may take in all: token, look-up, and the repetition after a 401.
    public var totalTimeout: Duration

    /// Whether to ask for test-channel payments too (`include_sandbox`).
    ///
    /// Never in production.
    public var includeTestPayments: Bool

    /// How large an answer may be.
    public var maxResponseBytes: Int

    /// States the configuration; the defaults suit production.
    public init(
        url: HTTPURL, key: Secret, secret: Secret, connectTimeout: Duration = .seconds(3),
        totalTimeout: Duration = .seconds(10), includeTestPayments: Bool = false, maxResponseBytes: Int = 1 << 20
    ) {
        self.url = url
        self.key = key
        self.secret = secret
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.includeTestPayments = includeTestPayments
        self.maxResponseBytes = maxResponseBytes
    }
}
