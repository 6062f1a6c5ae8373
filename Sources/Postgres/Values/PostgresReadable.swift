/// A value that is read from neighbouring columns of a row: from one, as every ``PostgresDecodable``, or from several.
///
/// A type of several columns reads them with ``PostgresRow/make(at:_:)``, and can then be a member of another type:
///
/// ```swift
/// extension PaymentIdentity: PostgresReadable {
///     static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> PaymentIdentity {
///         try row.make(at: &column, PaymentIdentity.init)
///     }
/// }
/// ```
public protocol PostgresReadable: Sendable {
    /// Reads the value from `column` on, and moves `column` past what was read.
    ///
    /// A requirement, so that ``PostgresRow/make(_:)`` calls code that the compiler specialised for each type: packs of
    /// types are never specialised, and a generic function took three times as long.
    static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Self
}

extension PostgresDecodable {
    /// Reads one column.
    @inlinable
    public static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Self {
        defer { column += 1 }
        return try row.decode(column)
    }
}

extension Optional: PostgresReadable where Wrapped: PostgresDecodable {
    /// Reads one column; `nil` for NULL.
    ///
    /// The wrapped value reads itself, because the reading of optionals is not specialised.
    @inlinable
    public static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Self {
        if try row.isNull(column, as: Wrapped.self) {
            column += 1
            return nil
        }
        return try Wrapped.read(row, at: &column)
    }
}
