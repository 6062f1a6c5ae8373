import FoundationEssentials
import SandboxSupport

/// An amount registered before the payment window opens (PortOne V1 and V2 contracts, amount pre-registration).
struct PreparedAmount: Hashable, Codable, Sendable {
    /// The API that registered it; the order's payment is made there, unless the window says otherwise.
    let api: SandboxPayment.Version
    let merchantUID: String
    /// V2 can register only a currency.
    let amount: Decimal?
    let currency: String?

    /// Whether a payment of `amount` may start; unregistered values are not compared.
    func allows(_ amount: Decimal, _ currency: String) -> Bool {
        (self.amount == nil || self.amount == amount) && (self.currency == nil || self.currency == currency)
    }

    var wire: JSONValue {
        .object([
            "amount": amount.map(JSONValue.number) ?? .null, "currency": .text(currency),
            "merchant_uid": .string(merchantUID),
        ])
    }
}
