extension Optional: PostgresTyped where Wrapped: PostgresTyped {
    /// The type of the wrapped value.
    public static var postgresType: PostgresType {
        Wrapped.postgresType
    }
}

/// `nil` is SQL's NULL.
extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    /// Whether there is no value.
    public var isPostgresNull: Bool {
        self == nil
    }

    /// Appends the wrapped value.
    public func encode(into buffer: inout [UInt8]) {
        self?.encode(into: &buffer)
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    /// Whether the wrapped value can be read from the type.
    @inlinable
    public static func isDecodable(from oid: UInt32) -> Bool {
        Wrapped.isDecodable(from: oid)
    }

    /// Reads the wrapped value.
    @inlinable
    public init?(postgresBytes bytes: RawSpan) {
        guard let value = Wrapped(postgresBytes: bytes) else { return nil }
        self = value
    }

    /// `nil`, for NULL.
    @inlinable
    public static var postgresNull: Self? {
        .some(.none)
    }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresScalar {
    /// Appends an array with NULLs.
    public static func encodeArray(_ elements: [Self], into buffer: inout [UInt8]) {
        Wrapped.encodeOptionalArray(elements, into: &buffer)
    }

    /// Reads an array with NULLs.
    public static func decodeArray(_ bytes: RawSpan) -> [Self]? {
        Wrapped.decodeOptionalArray(bytes)
    }
}
