/// `bytea`: bytes without a meaning for the database, such as a digest.
///
/// A separate type, because an array of `UInt8` would be an array of numbers.
package struct PostgresBytes: Hashable, Sendable {
    package var bytes: [UInt8]

    /// Wraps bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension PostgresBytes: PostgresScalar {
    /// `bytea`.
    package static var postgresType: PostgresType {
        .bytea
    }

    /// 32 bytes.
    package static var estimatedSize: Int {
        32
    }

    /// Appends the bytes.
    package func encode(into buffer: inout [UInt8]) {
        buffer.append(contentsOf: bytes)
    }

    /// Reads the bytes.
    package init?(postgresBytes bytes: RawSpan) {
        self.bytes = bytes.withUnsafeBytes { [UInt8]($0) }
    }
}
