/// Identifies a payment at a gateway.
package struct PaymentIdentity: Hashable, Sendable, Codable {
    /// The gateway's name.
    package let gateway: String
    /// The gateway's payment id (V2: the transaction id).
    package let impUID: String
    /// The order's id.
    ///
    /// At most one payment of an order is credited.
    package let merchantUID: String
    /// V2's payment id; nil for V1.
    package let paymentID: String?

    package init(gateway: String, impUID: String, merchantUID: String, paymentID: String? = nil) {
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
    }

    /// Compares bytes, as the database does.
    package static func == (left: PaymentIdentity, right: PaymentIdentity) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    private var exact: [ExactText?] {
        [ExactText(gateway), ExactText(impUID), ExactText(merchantUID), paymentID.map(ExactText.init)]
    }
}
