/// A value that can be read from a column of a result, in the binary format.
public protocol PostgresDecodable: PostgresTyped {
    /// Whether a column of this type can be read without changing the meaning of its bytes.
    static func isDecodable(from oid: UInt32) -> Bool
    /// Reads a value in PostgreSQL's binary format; `nil` if the bytes are invalid.
    init?(postgresBytes bytes: RawSpan)
    /// What stands for SQL's NULL; `nil` when nothing does and a NULL is an error.
    static var postgresNull: Self? { get }
}

extension PostgresDecodable {
    /// Whether it is the very type that values are encoded as.
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
    /// The integer in network byte order at an offset; `nil` when the span ends before it does.
    @inline(__always)
    func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as: Value.Type = Value.self) -> Value? {
        guard offset >= 0, offset &+ MemoryLayout<Value>.size <= byteCount else { return nil }
        return Value(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// The only integer in the span, in network byte order; `nil` when the span is longer or shorter.
    @inline(__always)
    func onlyBigEndian<Value: FixedWidthInteger & BitwiseCopyable>(as: Value.Type = Value.self) -> Value? {
        byteCount == MemoryLayout<Value>.size ? bigEndian(at: 0) : nil
    }
}
