/// `jsonb`, as the text of a JSON document.
///
/// The text is not parsed here; the server refuses invalid JSON. The server returns its own form of the document: keys
/// sorted by length and then by bytes, only the last of equal keys, numbers without exponents.
package struct PostgresJSON: Hashable, Sendable {
    /// The document.
    package var text: String

    /// Wraps a document.
    package init(_ text: String) {
        self.text = text
    }
}

extension PostgresJSON: PostgresScalar {
    /// `jsonb`.
    package static var postgresType: PostgresType {
        .jsonb
    }

    /// 64 bytes.
    package static var estimatedSize: Int {
        64
    }

    /// The only version of the format of `jsonb_recv`: a byte of 1, then the text.
    private static let version: UInt8 = 1

    /// Appends the version and the text.
    package func encode(into buffer: inout [UInt8]) {
        buffer.append(Self.version)
        buffer.append(contentsOf: text.utf8)
    }

    /// Reads the version and the text.
    package init?(postgresBytes bytes: RawSpan) {
        guard bytes.bigEndian(at: 0, as: UInt8.self) == Self.version else { return nil }
        guard let text = String(postgresBytes: bytes.extracting(droppingFirst: 1)) else { return nil }
        self.text = text
    }
}
