/// A Swift type with a corresponding PostgreSQL type.
public protocol PostgresTyped: Sendable {
    /// The PostgreSQL type of the values.
    static var postgresType: PostgresType { get }
}

/// A value that can be bound to a statement's parameter in the binary format.
public protocol PostgresEncodable: PostgresTyped {
    /// Whether the value is SQL's NULL. Then ``encode(into:)`` is not called.
    var isPostgresNull: Bool { get }
    /// Appends the value in PostgreSQL's binary format (the format of the type's `…recv` function), without its length.
    func encode(into buffer: inout [UInt8])
}

extension PostgresEncodable {
    /// `false`: only optionals can be NULL.
    public var isPostgresNull: Bool {
        false
    }
}

/// The values bound to a statement's `$1`, `$2`, … in order.
///
/// A NULL is a typed `nil`: `Int64?.none`.
public typealias PostgresParameters = [any PostgresEncodable]

extension [UInt8] {
    /// Appends an integer in network byte order, which the binary format uses.
    @inline(__always)
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
