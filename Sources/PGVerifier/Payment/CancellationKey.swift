/// An idempotency key for a cancellation, which is carried out at most once.
///
/// PortOne allows 16 to 256 printable ASCII characters (PortOne V2 contract, Idempotency-Key). Spaces, quotes,
/// backslashes and brackets are not allowed here, so that the key can be found in a text.
package struct CancellationKey: Hashable, Sendable, CustomStringConvertible {
    /// The caller's key.
    package let text: String

    /// The caller's key.
    package var description: String { text }

    /// Checks a caller's key.
    ///
    /// At most 128 characters, because the key is a part of the cancellation's reason.
    ///
    /// - Throws: the broken rule.
    package init(_ text: String) throws(MalformedIdentifier) {
        guard (16...128).contains(text.utf8.count) else {
            throw MalformedIdentifier(field: "idempotency_key", rule: "must have 16 to 128 characters")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Self.reserved.contains($0) }) else {
            throw MalformedIdentifier(
                field: "idempotency_key",
                rule: "must contain only printable ASCII, without spaces, quotes, backslashes or brackets")
        }
        self.text = text
    }

    private static let reserved = Set("\"\\[]".utf8)
}
