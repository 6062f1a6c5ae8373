import FoundationEssentials
import SandboxSupport

/// A charge of a registered card, without a payment window.
///
/// Every card is registered, but one whose name begins with `deleted`; one whose name begins with `declined` is declined.
struct CardCharge: Sendable {
    let card: String
    /// The members of the control API that name the order.
    let order: [String: JSONValue]
    let amount: Decimal
    let currency: String
    let name: String
    /// The part of the amount without VAT.
    let taxFree: Decimal

    var isOfDeletedCard: Bool { card.hasPrefix("deleted") }

    /// The payment that it makes.
    ///
    /// - Throws: ``ControlError`` for a value that the gateway does not accept.
    func draft() throws(ControlError) -> PaymentDraft {
        let isDeclined = card.hasPrefix("declined")
        var members = order
        members["amount"] = .number(amount)
        members["currency"] = .string(currency)
        members["tax_free"] = .number(taxFree)
        members["name"] = .string(name)
        if order["payment_id"] != nil {
            members["billing_key"] = .string(card)
        } else {
            members["customer_uid"] = .string(card)
            members["customer_uid_usage"] = .string("payment")
        }
        members["status"] = .string(isDeclined ? "failed" : "paid")
        if isDeclined { members["fail_reason"] = .string("카드 한도 초과") }
        return try PaymentDraft(.object(members))
    }
}
