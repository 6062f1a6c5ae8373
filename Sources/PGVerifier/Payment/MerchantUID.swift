/// The merchant's own identifier of an order, shared by every attempt to pay it.
///
/// At most 40 characters (PortOne V1 contract, payment object). Clients may invent it, and a payment is looked up by its
/// `imp_uid`, so whatever the gateway takes and can be printed is taken.
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
            throw MalformedIdentifier(field: "merchant_uid", rule: "may hold only printable characters")
        }
        self.text = text
    }

    /// As a segment of a URL's path.
    ///
    /// - Throws: definitely ``GatewayError/Code/invalidRequest`` for one that might lead elsewhere.
    func pathSegment() throws(GatewayError) -> String {
        guard text.isOnePathSegment else {
            throw GatewayError(.invalidRequest, isDefinite: true, message: "the merchant_uid can't stand in a path")
        }
        return text
    }
}

extension String {
    /// Whether the text is printable on one line and does not turn what stands around it.
    var isPrintable: Bool { unicodeScalars.allSatisfy(\.isPrintable) }

    /// Whether the text stays one path segment whatever decodes it on its way.
    ///
    /// `.` and `..` can't be percent-encoded, and `/` may be decoded before the path is routed.
    var isOnePathSegment: Bool { self != "." && self != ".." && !unicodeScalars.contains("/") }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // What joins emoji and letters is of this kind, too.
        case .format: !properties.isBidiControl
        default: true
        }
    }
}
