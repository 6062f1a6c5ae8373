import CLibPQ

/// One row of a result, lent to the closure that reads it.
///
/// Columns are counted from 0.
public struct PostgresRow: ~Copyable {
    /// Borrowed from the ``PostgresResult`` that lends the row and outlives it.
    private let result: OpaquePointer
    private let index: Int32

    init(result: OpaquePointer, index: Int32) {
        self.result = result
        self.index = index
    }

    /// The value of a column.
    ///
    /// - Throws: `decoding` when there is no such column, its type is not the one that `Value` is read from, or it is
    ///   NULL and `Value` is not an optional. Nothing is ever converted.
    public subscript<Value: PostgresDecodable>(_ column: Int) -> Value {
        get throws(PostgresError) {
            try decode(column)
        }
    }

    /// The value of a column, with its type named at the call.
    ///
    /// - Throws: see ``subscript(_:)``.
    public func decode<Value: PostgresDecodable>(
        _ column: Int, as: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard column >= 0, column < Int(PQnfields(result)) else {
            throw PostgresError(.decoding, "there is no column \(column)")
        }
        let field = Int32(column)
        guard Value.isDecodable(from: PQftype(result, field)), PQfformat(result, field) == 1 else {
            throw error(field, "is of the type \(PQftype(result, field)), not \(Value.postgresType)")
        }
        if PQgetisnull(result, index, field) == 1 {
            guard let null = Value.postgresNull else { throw error(field, "is NULL, which \(Value.self) can't be") }
            return null
        }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, index, field), count: Int(PQgetlength(result, index, field)))
        guard let value = Value(postgresBytes: bytes.bytes) else {
            throw error(field, "holds what \(Value.self) can't")
        }
        return value
    }

    private func error(_ field: Int32, _ problem: String) -> PostgresError {
        let name = PQfname(result, field).map { String(cString: $0) }
        var error = PostgresError(.decoding, "column \(field) (\(name ?? "")) \(problem)")
        error.column = name
        return error
    }
}
