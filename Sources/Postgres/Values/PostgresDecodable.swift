/// A value that can be read from a result column in the binary format.
public protocol PostgresDecodable: PostgresTyped, PostgresReadable {
    /// Whether a column of this type can be read without a conversion.
    static func isDecodable(from oid: UInt32) -> Bool
    /// Reads a value in PostgreSQL's binary format; `nil` if the bytes are invalid.
    init?(postgresBytes bytes: RawSpan)
    /// The value for SQL's NULL; `nil`: a NULL is an error.
    static var postgresNull: Self? { get }
}

extension PostgresDecodable {
    /// Whether the type is ``PostgresTyped/postgresType``.
    @inlinable
    public static func isDecodable(from oid: UInt32) -> Bool {
        oid == postgresType.oid
    }

    /// `nil`: only optionals can be NULL.
    @inlinable
    public static var postgresNull: Self? {
        nil
    }
}

extension RawSpan {
    /// The integer in network byte order at an offset; `nil` if the span is too short.
    @inline(__always)
    func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as: Value.Type = Value.self) -> Value? {
        guard offset >= 0, offset &+ MemoryLayout<Value>.size <= byteCount else { return nil }
        return Value(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// The integer in network byte order; `nil` if the span has another length.
    @inline(__always)
    func onlyBigEndian<Value: FixedWidthInteger & BitwiseCopyable>(as: Value.Type = Value.self) -> Value? {
        byteCount == MemoryLayout<Value>.size ? bigEndian(at: 0) : nil
    }
}
