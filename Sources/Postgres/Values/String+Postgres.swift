/// `text`. Strings can also be read from other character types.
extension String: PostgresScalar {
    /// `text`.
    public static var postgresType: PostgresType {
        .text
    }

    /// Whether the type is `text`, `varchar`, `char(n)` or `name`.
    public static func isDecodable(from oid: UInt32) -> Bool {
        oid == PostgresType.text.oid || oid == PostgresType.varchar.oid || oid == PostgresType.bpchar.oid
            || oid == PostgresType.name.oid
    }

    /// Appends UTF-8.
    ///
    /// The server refuses a string with U+0000.
    public func encode(into buffer: inout [UInt8]) {
        buffer.append(contentsOf: utf8)
    }

    /// Reads UTF-8; `nil` if it is not valid.
    public init?(postgresBytes bytes: RawSpan) {
        let text = bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        guard let text else { return nil }
        self = text
    }
}
