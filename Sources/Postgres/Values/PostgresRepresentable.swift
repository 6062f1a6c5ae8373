/// A value that the database has as another one, such as an enumeration as its text.
///
/// A type with a raw value needs no more than the conformance:
///
/// ```swift
/// enum Status: String, PostgresRawRepresentable { case open, closed }
/// ```
public protocol PostgresRepresentable<Representation>: PostgresScalar {
    /// The type of the column.
    associatedtype Representation: PostgresScalar
    /// The column's value.
    var representation: Representation { get }
    /// The value that has this representation; `nil`: none.
    ///
    /// No initializer, so that `map(Coins.init)` stays clear.
    static func represented(by representation: Representation) -> Self?
}

extension PostgresRepresentable {
    /// The type of the column.
    @inlinable
    public static var postgresType: PostgresType {
        Representation.postgresType
    }

    /// The size of the column's value.
    @inlinable
    public static var estimatedSize: Int {
        Representation.estimatedSize
    }

    /// Whether the column's value can be read from the type.
    @inlinable
    public static func isDecodable(from oid: UInt32) -> Bool {
        Representation.isDecodable(from: oid)
    }

    /// Appends the column's value.
    @inlinable
    public func encode(into buffer: inout [UInt8]) {
        representation.encode(into: &buffer)
    }

    /// Reads the column's value.
    @inlinable
    public init?(postgresBytes bytes: RawSpan) {
        guard let representation = Representation(postgresBytes: bytes),
            let value = Self.represented(by: representation)
        else { return nil }
        self = value
    }
}

/// A value that the database has as its raw value.
public protocol PostgresRawRepresentable: RawRepresentable, PostgresRepresentable
where RawValue: PostgresScalar, Representation == RawValue {}

extension PostgresRawRepresentable {
    /// The raw value.
    @inlinable
    public var representation: RawValue {
        rawValue
    }

    /// The value with this raw value.
    @inlinable
    public static func represented(by representation: RawValue) -> Self? {
        Self(rawValue: representation)
    }
}
