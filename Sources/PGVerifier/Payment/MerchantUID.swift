/// The merchant's order id, shared by every attempt to pay the order.
///
/// At most 40 characters (PortOne V1 contract, payment object). Clients can choose it, and V1 payments are looked up by
/// `imp_uid`, so any printable text that the gateway accepts is allowed.
package struct MerchantUID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as the merchant writes it.
    package let text: String

    /// The identifier as the merchant writes it.
    package var description: String { text }

    /// Reads what a client presented.
    ///
    /// - Throws: the rule that is broken.
    package init(_ text: String) throws(MalformedIdentifier) {
        guard (1...40).contains(text.unicodeScalars.count) else {
            throw MalformedIdentifier(field: "merchant_uid", rule: "must have 1 to 40 characters")
        }
        guard text.isPrintable else {
            throw MalformedIdentifier(field: "merchant_uid", rule: "must contain only printable characters")
        }
        self.text = text
    }

    /// The id as a segment of a URL path.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` (definite) for an id that could change the path.
    func pathSegment() throws(GatewayError) -> String {
        guard text.isOnePathSegment else {
            throw GatewayError(.invalidRequest, isDefinite: true, message: "the merchant_uid can't be part of a path")
        }
        return text
    }
}

extension String {
    /// Whether the text is printable on one line and does not change the direction of the text around it.
    var isPrintable: Bool { unicodeScalars.allSatisfy(\.isPrintable) }

    /// Whether the text stays one path segment after any decoding.
    ///
    /// `.` and `..` can't be percent-encoded, and `/` may be decoded before the path is routed.
    var isOnePathSegment: Bool { self != "." && self != ".." && !unicodeScalars.contains("/") }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Joiners of emoji and letters are in this category too.
        case .format: !properties.isBidiControl
        default: true
        }
    }
}
