/// What a client presents: a claim, not evidence.
///
/// Only the gateway's response to our own request is evidence (PortOne V1 contract, client receipt). Each gateway makes
/// its receipts from valid ids only.
package struct Receipt: Hashable, Sendable {
    /// The name of the receipt's gateway.
    package let gatewayName: String

    /// The gateway's own id of the payment; nil: the receipt has only the merchant's id, by which the payment is looked
    /// up.
    package let paymentID: String?

    /// The merchant's id of the order.
    package let merchantUID: String

    init(gatewayName: String, paymentID: String?, merchantUID: String) {
        self.gatewayName = gatewayName
        self.paymentID = paymentID
        self.merchantUID = merchantUID
    }

    /// The receipt of a recorded payment; nil if the gateway is unknown.
    ///
    /// - Throws: the rule that a recorded identifier breaks.
    package init?(gateway: String, paymentID: String, merchantUID: String) throws(MalformedIdentifier) {
        guard let known = Gateways.known.first(where: { $0.name == gateway }) else { return nil }
        self = try known.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }

    /// The id by which the gateway looks the payment up.
    package var lookupID: String { paymentID ?? merchantUID }

    /// Whether somebody who knows the order's id could have made the receipt: it has no id of the gateway's own.
    package var isGuessable: Bool { paymentID == nil }
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
