/// What a client presents to show that it paid: a claim, never evidence.
///
/// Only what the gateway answers to our own request about it is evidence (PortOne V1 contract, client receipt).
package enum Receipt: Hashable, Sendable {
    /// A PortOne V1 receipt: the attempt, and the order it was for.
    case v1(impUID: ImpUID, merchantUID: MerchantUID)
    /// A PortOne V2 receipt: the payment, whose id is the merchant's own.
    case v2(paymentID: PaymentID)
}

/// A client presented an identifier that the gateway could never have made.
package struct MalformedIdentifier: Error, Hashable, Sendable, CustomStringConvertible {
    /// The wire name of the member at fault, such as `imp_uid`.
    package let field: String

    /// The rule it breaks, fit to be shown to the client.
    package let rule: String

    /// The field and the rule; never the value, which a stranger chose.
    package var description: String { "\(field) \(rule)" }

    init(field: String, rule: String) {
        self.field = field
        self.rule = rule
    }
}
