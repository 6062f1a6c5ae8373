import FoundationEssentials

/// An amount registered before the payment window opens (PortOne V1 contract, amount pre-registration).
struct PreparedAmount: Hashable, Sendable {
    let merchantUID: String
    let amount: Decimal
    let currency: String?

    /// Whether a payment of `amount` may begin; without a registered currency none is compared.
    func allows(_ amount: Decimal, _ currency: String) -> Bool {
        amount == self.amount && (self.currency == nil || self.currency == currency)
    }

    var wire: JSONValue {
        .object(["amount": .number(amount), "currency": .text(currency), "merchant_uid": .string(merchantUID)])
    }
}
