/// PortOne's own identifier of one payment attempt, such as `imp_448280090638`.
///
/// At most 32 characters (PortOne V1 contract, payment object). The allowed characters are those that PortOne uses and
/// that can't change a request path: receipts are untrusted and become part of a URL.
package struct ImpUID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as the gateway writes it.
    package let text: String

    /// The identifier as the gateway writes it.
    package var description: String { text }

    /// Reads what a client presented.
    ///
    /// - Throws: the rule that is broken.
    package init(_ text: String) throws(MalformedIdentifier) {
        guard (1...32).contains(text.utf8.count) else {
            throw MalformedIdentifier(field: "imp_uid", rule: "must have 1 to 32 characters")
        }
        guard text.utf8.allSatisfy(Self.isAllowed) else {
            throw MalformedIdentifier(field: "imp_uid", rule: "must contain only letters, digits, '_' and '-'")
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
