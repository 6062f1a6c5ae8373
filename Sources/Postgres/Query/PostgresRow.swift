import CLibPQ

/// One row of a result, passed to the closure that reads it.
///
/// Columns are counted from 0.
///
/// This type and the types of values are public, because only public code is inlined into other targets: with
/// `package`, reading a row of eight columns took 0.72 µs instead of 0.27 µs.
public struct PostgresRow: ~Copyable {
    /// Borrowed from the ``PostgresResult`` that lends the row and outlives it.
    private let result: OpaquePointer
    private let index: Int32

    @usableFromInline
    init(result: OpaquePointer, index: Int32) {
        self.result = result
        self.index = index
    }

    /// The number of columns.
    @usableFromInline var count: Int {
        Int(PQnfields(result))
    }

    /// The value of a column.
    ///
    /// - Throws: `decoding` if the column does not exist, has another type than `Value`, or is NULL and `Value` is not
    ///   an optional. Values are never converted.
    @inlinable
    public subscript<Value: PostgresDecodable>(_ column: Int) -> Value {
        get throws(PostgresError) {
            try decode(column)
        }
    }

    /// The value of a column, with its type named at the call.
    ///
    /// Inlinable, so that the compiler specialises it where rows are read. Otherwise the types of a column and its
    /// optional are looked up for every value, which took most of the time.
    ///
    /// - Throws: see ``subscript(_:)``.
    @inlinable
    public func decode<Value: PostgresDecodable>(
        _ column: Int, as: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        let field = try field(column, of: Value.self)
        guard let bytes = field.bytes else {
            guard let null = Value.postgresNull else { throw error(column, "is NULL, not a \(Value.self)") }
            return null
        }
        guard let value = Value(postgresBytes: bytes.bytes) else {
            throw error(column, "has a value that \(Value.self) can't represent")
        }
        return value
    }

    /// Whether a column is NULL.
    ///
    /// - Throws: `decoding` if the column does not exist or has another type than `Value`.
    @inlinable
    func isNull<Value: PostgresDecodable>(_ column: Int, as: Value.Type) throws(PostgresError) -> Bool {
        try field(column, of: Value.self).bytes == nil
    }

    @inlinable
    func field<Value: PostgresDecodable>(_ column: Int, of: Value.Type) throws(PostgresError) -> Field {
        let field = try field(column)
        guard Value.isDecodable(from: field.type), field.isBinary else {
            throw error(column, "has the type \(field.type), not \(Value.postgresType)")
        }
        return field
    }

    /// A raw column of libpq.
    @usableFromInline
    struct Field {
        /// The OID of its type.
        @usableFromInline let type: UInt32
        /// Whether it has the binary format.
        @usableFromInline let isBinary: Bool
        /// The value, owned by the result; nil for NULL.
        @usableFromInline let bytes: UnsafeRawBufferPointer?
    }

    /// - Throws: `decoding` if the column does not exist.
    @usableFromInline
    func field(_ column: Int) throws(PostgresError) -> Field {
        guard column >= 0, column < count else {
            throw PostgresError(.decoding, "there is no column \(column): the row has \(count), counted from 0")
        }
        let number = Int32(column)
        let isNull = PQgetisnull(result, index, number) == 1
        return Field(
            type: PQftype(result, number), isBinary: PQfformat(result, number) == 1,
            bytes: isNull
                ? nil
                : UnsafeRawBufferPointer(
                    start: PQgetvalue(result, index, number), count: Int(PQgetlength(result, index, number))))
    }

    @usableFromInline
    func error(_ column: Int, _ problem: String) -> PostgresError {
        let name = PQfname(result, Int32(column)).map { String(cString: $0) }
        var error = PostgresError(.decoding, "column \(column) (\(name ?? "")) \(problem)")
        error.column = name
        return error
    }
}
