/// Which payment at which gateway.
public struct PaymentIdentity: Hashable, Sendable, Codable {
    /// The gateway that knows it: `portone-v1`.
    public let gateway: String
    /// The gateway's id of the payment (V2: the transaction's).
    public let impUID: String
    /// The order's id, at most one credited payment each.
    public let merchantUID: String
    /// V2's payment id, absent in V1.
    public let paymentID: String?

    /// Names a payment.
    public init(gateway: String, impUID: String, merchantUID: String, paymentID: String? = nil) {
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
    }

    /// Byte by byte, as the database compares.
    public static func == (left: PaymentIdentity, right: PaymentIdentity) -> Bool { left.exact == right.exact }

    /// Of the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    private var exact: [ExactText?] {
        [ExactText(gateway), ExactText(impUID), ExactText(merchantUID), paymentID.map(ExactText.init)]
    }
}
