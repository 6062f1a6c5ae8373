/// The caller's key of one act; the act happens at most once per key.
///
/// 16 to 256 printable ASCII characters (PortOne V2 contract, Idempotency-Key); here without spaces, quotes,
/// backslashes and brackets, so that it can be found in a text.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
    /// The key as the caller chose it.
    public let text: String

    /// The key as the caller chose it.
    public var description: String { text }

    /// Takes a caller's key.
    ///
    /// At most 128 characters: it has to fit into a cancellation's reason.
    ///
    /// - Throws: the rule that is broken.
    public init(_ text: String) throws(MalformedIdentifier) {
        guard (16...128).contains(text.utf8.count) else {
            throw MalformedIdentifier(field: "idempotency_key", rule: "must have 16 to 128 characters")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Self.reserved.contains($0) }) else {
            throw MalformedIdentifier(
                field: "idempotency_key", rule: "must contain only printable ASCII without spaces, quotes and brackets")
        }
        self.text = text
    }

    private static let reserved = Set("\"\\[]".utf8)
}
