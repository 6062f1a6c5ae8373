/// `bytea`, bytes without meaning to the database, such as a digest.
///
/// A type of its own, because an array of `UInt8` would read as an array of numbers.
public struct PostgresBytes: Hashable, Sendable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension PostgresBytes: PostgresScalar {
    /// `bytea`.
    public static var postgresType: PostgresType {
        .bytea
    }

    /// 32 bytes.
    public static var estimatedSize: Int {
        32
    }

    /// Appends the bytes.
    public func encode(into buffer: inout [UInt8]) {
        buffer.append(contentsOf: bytes)
    }

    /// Reads the bytes.
    public init?(postgresBytes bytes: RawSpan) {
        self.bytes = bytes.withUnsafeBytes { [UInt8]($0) }
    }
}
