/// The merchant's own identifier of an order, shared by every attempt to pay it.
///
/// At most 40 characters (PortOne V1 contract, payment object). Clients may invent it, so anything printable is taken,
/// except `/`, which would end a path segment at intermediaries that decode before they route.
public struct MerchantUID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as the merchant writes it.
    public let text: String

    /// The identifier as the merchant writes it.
    public var description: String { text }

    /// Reads what a client presented.
    ///
    /// - Throws: the rule that is broken.
    public init(_ text: String) throws(MalformedIdentifier) {
        guard (1...40).contains(text.unicodeScalars.count) else {
            throw MalformedIdentifier(field: "merchant_uid", rule: "must have 1 to 40 characters")
        }
        guard text.isOnePathSegment else { throw MalformedIdentifier(field: "merchant_uid", rule: Self.alphabet) }
        self.text = text
    }

    static let alphabet = "may hold only printable characters other than '/', and not be '.' or '..'"
}

extension String {
    /// Whether the text is printable on one line and stays one path segment whatever decodes it on its way.
    ///
    /// `.` and `..` can't be percent-encoded, and `/` may be decoded before the path is routed.
    var isOnePathSegment: Bool {
        self != "." && self != ".." && unicodeScalars.allSatisfy(\.isPrintable)
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: self == " "
        default: self != "/"
        }
    }
}
