/// Identifies a payment at a gateway.
package struct PaymentIdentity: Hashable, Sendable, Codable {
    /// The gateway's name.
    package let gateway: String
    /// The gateway's id of the payment.
    package let paymentID: String
    /// The order's id.
    ///
    /// At most one payment of an order is credited.
    package let merchantUID: String
    /// The merchant's id of the payment, at a gateway where it has one besides the order's; nil: none.
    package let merchantPaymentID: String?

    package init(gateway: String, paymentID: String, merchantUID: String, merchantPaymentID: String? = nil) {
        self.gateway = gateway
        self.paymentID = paymentID
        self.merchantUID = merchantUID
        self.merchantPaymentID = merchantPaymentID
    }

    /// The names that it has at its gateway.
    var ownNames: Set<ExactText> {
        Set([paymentID, merchantUID, merchantPaymentID].compactMap { $0.map(ExactText.init) })
    }

    /// Outcomes of acts are stored under these names.
    private enum CodingKeys: String, CodingKey {
        case gateway
        case paymentID = "impUID"
        case merchantUID
        case merchantPaymentID = "paymentID"
    }

    /// Compares bytes, as the database does.
    package static func == (left: PaymentIdentity, right: PaymentIdentity) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    private var exact: [ExactText?] {
        [ExactText(gateway), ExactText(paymentID), ExactText(merchantUID), merchantPaymentID.map(ExactText.init)]
    }
}
