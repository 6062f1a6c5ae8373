/// Which payment at which gateway.
package struct PaymentIdentity: Hashable, Sendable, Codable {
    /// The gateway that knows it: `portone-v1`.
    package let gateway: String
    /// The gateway's id of the payment (V2: the transaction's).
    package let impUID: String
    /// The order's id, at most one credited payment each.
    package let merchantUID: String
    /// V2's payment id, absent in V1.
    package let paymentID: String?

    /// Names a payment.
    package init(gateway: String, impUID: String, merchantUID: String, paymentID: String? = nil) {
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
    }

    /// Byte by byte, as the database compares.
    package static func == (left: PaymentIdentity, right: PaymentIdentity) -> Bool { left.exact == right.exact }

    /// Of the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    private var exact: [ExactText?] {
        [ExactText(gateway), ExactText(impUID), ExactText(merchantUID), paymentID.map(ExactText.init)]
    }
}
