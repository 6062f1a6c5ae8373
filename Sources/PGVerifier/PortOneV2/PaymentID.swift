/// The merchant's payment id at PortOne V2, the equivalent of V1's `merchant_uid`.
///
/// At most 64 characters. Any printable text is allowed, as for ``MerchantUID``, except what could change a path: it is
/// percent-encoded into the URL of a look-up (PortOne V2 contract, conventions).
package struct PaymentID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as the merchant writes it.
    package let text: String

    /// The identifier as the merchant writes it.
    package var description: String { text }

    /// Reads what a client presented.
    ///
    /// - Throws: the rule that is broken.
    package init(_ text: String) throws(MalformedIdentifier) {
        guard (1...64).contains(text.unicodeScalars.count) else {
            throw MalformedIdentifier(field: "payment_id", rule: "must have 1 to 64 characters")
        }
        guard text.isPrintable, text.isOnePathSegment else {
            throw MalformedIdentifier(
                field: "payment_id",
                rule: "must contain only printable characters other than '/', and must not be '.' or '..'")
        }
        self.text = text
    }

    /// The payment of an order: V2 has one per order.
    ///
    /// - Throws: as ``MerchantUID/pathSegment()``.
    init(_ order: MerchantUID) throws(GatewayError) {
        text = try order.pathSegment()
    }
}
