/// `text`; read from every type whose values are plain characters.
extension String: PostgresScalar {
    /// `text`.
    public static var postgresType: PostgresType {
        .text
    }

    /// Whether it is `text`, `varchar`, `char(n)` or `name`, or an array's element of such a type.
    public static func isDecodable(from oid: UInt32) -> Bool {
        oid == PostgresType.text.oid || oid == PostgresType.varchar.oid || oid == PostgresType.bpchar.oid
            || oid == PostgresType.name.oid
    }

    /// Appends UTF-8; the server refuses a string that holds U+0000.
    public func encode(into buffer: inout [UInt8]) {
        buffer.append(contentsOf: utf8)
    }

    /// Reads UTF-8; `nil` when it is not valid.
    public init?(postgresBytes bytes: RawSpan) {
        let text = bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        guard let text else { return nil }
        self = text
    }
}
