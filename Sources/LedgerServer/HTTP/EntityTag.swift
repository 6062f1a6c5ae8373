import Crypto
import HTTPTypes
package import NIOCore

/// The entity tag of a response body, for conditional requests (RFC 9110, 8.8.3).
///
/// It is strong, because it is a hash of the body: bodies with equal tags are equal.
package struct EntityTag: Sendable, Equatable {
    /// The text in a header, with its quotes.
    package let text: String

    /// The tag of a body: 128 bits of its SHA-256.
    package init(of body: ByteBuffer) {
        var hash = SHA256()
        body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        text = "\"" + Base64URL.encode(Array(hash.finalize().prefix(16))) + "\""
    }

    /// A tag from a header.
    init(text: String) { self.text = text }

    /// Whether `If-None-Match` has this tag or `*` (RFC 9110, 13.1.2); weak tags match too.
    func isNamed(by fields: [String]) -> Bool {
        fields.contains { field in
            if field.utf8.allSatisfy({ $0 == UInt8(ascii: "*") || Self.isBlank($0) }), field.utf8.contains(0x2a) {
                return true
            }
            return Self.tags(in: field).contains { $0.elementsEqual(text.utf8) }
        }
    }

    /// The tags of a list, with their quotes and without `W/`; a tag can contain a comma.
    private static func tags(in field: String) -> [Substring.UTF8View] {
        var tags: [Substring.UTF8View] = []
        var rest = field[...].utf8
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")),
            let end = rest[rest.index(after: start)...].firstIndex(of: UInt8(ascii: "\""))
        {
            tags.append(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return tags
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
