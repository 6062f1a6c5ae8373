import Crypto
import HTTPTypes
import NIOCore

/// The name of one state of a resource's body, for clients that have one already (RFC 9110, 8.8.3).
///
/// It is a strong one: of equal tags the bytes are equal, for it is made of them.
struct EntityTag: Sendable, Equatable {
    /// As it stands in a header, in its quotes.
    let text: String

    /// The tag of a body: 128 bits of its SHA-256.
    init(of body: ByteBuffer) {
        var hash = SHA256()
        body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        text = "\"" + Base64URL.encode(Array(hash.finalize().prefix(16))) + "\""
    }

    /// Takes a tag out of a header.
    init(text: String) { self.text = text }

    /// Whether `If-None-Match` names this tag, or any (RFC 9110, 13.1.2): a weak one is as good as a strong one there.
    func isNamed(by fields: [String]) -> Bool {
        fields.contains { field in
            if field.utf8.allSatisfy({ $0 == UInt8(ascii: "*") || Self.isBlank($0) }), field.utf8.contains(0x2a) {
                return true
            }
            return Self.tags(in: field).contains { $0.elementsEqual(text.utf8) }
        }
    }

    /// The tags of a list, in their quotes and without `W/`; a comma may stand within one.
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
