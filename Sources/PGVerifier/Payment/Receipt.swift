/// What a client presents: a claim, not evidence.
///
/// Only the gateway's response to our own request is evidence (PortOne V1 contract, client receipt).
package enum Receipt: Hashable, Sendable {
    /// A PortOne V1 receipt: the attempt, and the order it was for.
    case v1(impUID: ImpUID, merchantUID: MerchantUID)
    /// A PortOne V2 receipt: the payment, whose id is the merchant's own.
    case v2(paymentID: PaymentID)
}

/// An identifier that no gateway can have created.
package struct MalformedIdentifier: Error, Hashable, Sendable, CustomStringConvertible {
    /// The wire name of the member, such as `imp_uid`.
    package let field: String

    /// The broken rule, for the client.
    package let rule: String

    /// The field and the rule; never the value, which is untrusted.
    package var description: String { "\(field) \(rule)" }

    init(field: String, rule: String) {
        self.field = field
        self.rule = rule
    }
}
