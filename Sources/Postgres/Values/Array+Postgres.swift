/// A PostgreSQL array with at most one dimension.
extension Array: PostgresTyped where Element: PostgresArrayElement {
    /// The array type of the element's type.
    public static var postgresType: PostgresType {
        Element.postgresType.array
    }
}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    /// Appends the array.
    public func encode(into buffer: inout [UInt8]) {
        Element.encodeArray(self, into: &buffer)
    }
}

extension Array: PostgresDecodable, PostgresReadable where Element: PostgresArrayElement {
    /// Reads the array; `nil` if it has several dimensions, or a NULL that the element type can't express.
    public init?(postgresBytes bytes: RawSpan) {
        guard let elements = Element.decodeArray(bytes) else { return nil }
        self = elements
    }

    /// Whether the type is an array of the element's type.
    public static func isDecodable(from oid: UInt32) -> Bool {
        oid == postgresType.oid
    }
}
