/// A statement with its bound parameters and the decoder of its result.
///
/// ```swift
/// let wallets = PostgresQuery("SELECT id, code FROM account WHERE id = ANY($1)", [ids]) { row in
///     try row.make(Wallet.init)
/// }
/// let count = PostgresQuery<Int>.one("SELECT count(*) FROM account")
/// ```
///
/// Without a decoder, each row is read as a ``PostgresReadable`` that takes all of its columns.
///
/// The types of `$1`, `$2`, … are those of the Swift values; results come in the binary format and are read by type.
/// Statements are prepared once per connection and identified by their text, so never build a text from values. The
/// server refuses several statements in one text: see ``PostgresConnection/execute(_:)``.
///
/// Public as ``PostgresRow``, so that the loop over the rows is compiled for their type where the query is.
public struct PostgresQuery<Output: Sendable>: Sendable {
    /// The statement.
    package let sql: String
    /// The values of `$1`, `$2`, ….
    package let parameters: PostgresParameters
    let read: @Sendable (borrowing PostgresResult) throws -> Output

    @usableFromInline
    init(
        sql: String, parameters: PostgresParameters,
        read: @escaping @Sendable (borrowing PostgresResult) throws -> Output
    ) {
        self.sql = sql
        self.parameters = parameters
        self.read = read
    }

    /// The same statement with a transformed output.
    package func map<Other>(_ transform: @escaping @Sendable (Output) throws -> Other) -> PostgresQuery<Other> {
        PostgresQuery<Other>(sql: sql, parameters: parameters) { [read] result in try transform(try read(result)) }
    }

    /// A statement that returns all rows, in order.
    @inlinable
    public init<Row>(
        _ sql: String, _ parameters: PostgresParameters = [],
        row: @escaping @Sendable (borrowing PostgresRow) throws -> Row
    ) where Output == [Row] {
        self.init(sql: sql, parameters: parameters) { result in
            var rows: [Row] = []
            rows.reserveCapacity(result.rowCount)
            for index in 0..<result.rowCount {
                rows.append(try result.withRow(index, row))
            }
            return rows
        }
    }

    /// A statement that returns its first row; `nil` without a row.
    package static func first<Row>(
        _ sql: String, _ parameters: PostgresParameters = [],
        row: @escaping @Sendable (borrowing PostgresRow) throws -> Row
    ) -> PostgresQuery where Output == Row? {
        PostgresQuery(sql: sql, parameters: parameters) { result in
            result.rowCount == 0 ? nil : try result.withRow(0, row)
        }
    }

    /// A statement that returns exactly one row, such as an aggregate; another number of rows is a `decoding` error.
    package static func one(
        _ sql: String, _ parameters: PostgresParameters = [],
        row: @escaping @Sendable (borrowing PostgresRow) throws -> Output
    ) -> PostgresQuery {
        PostgresQuery(sql: sql, parameters: parameters) { result in
            guard result.rowCount == 1 else {
                throw PostgresError(.decoding, "expected one row, not \(result.rowCount)")
            }
            return try result.withRow(0, row)
        }
    }
}

/// Without a decoder, a row is one value.
extension PostgresQuery {
    /// A statement that returns all rows, in order.
    @inlinable
    public init<Value: PostgresReadable>(
        _ sql: String, _ parameters: PostgresParameters = []
    ) where Output == [Value] {
        self.init(sql, parameters) { row in try row.read() }
    }

    /// A statement that returns its first row; `nil` without a row.
    package static func first<Value: PostgresReadable>(
        _ sql: String, _ parameters: PostgresParameters = []
    ) -> PostgresQuery where Output == Value? {
        .first(sql, parameters) { row in try row.read() }
    }

    /// A statement that returns exactly one row, such as an aggregate; another number of rows is a `decoding` error.
    package static func one(
        _ sql: String, _ parameters: PostgresParameters = []
    ) -> PostgresQuery where Output: PostgresReadable {
        .one(sql, parameters) { row in try row.read() }
    }
}

extension PostgresQuery where Output == Int {
    /// A statement that returns the number of rows that it changed or, without a change, returned; 0 for statements
    /// without a count.
    package static func affected(_ sql: String, _ parameters: PostgresParameters = []) -> PostgresQuery {
        PostgresQuery(sql: sql, parameters: parameters) { $0.affectedRows }
    }

    /// Begins a transaction.
    package static var begin: PostgresQuery {
        .affected("BEGIN")
    }

    /// Commits the transaction; in a failed transaction, a `server` error with ``SQLState/inFailedTransaction``.
    package static var commit: PostgresQuery {
        .affected("COMMIT")
    }

    /// Rolls the transaction back.
    package static var rollback: PostgresQuery {
        .affected("ROLLBACK")
    }
}

/// The sent part of a query: everything except the decoder.
struct PostgresStatement: Sendable {
    let sql: String
    let parameters: PostgresParameters

    init<Output>(_ query: PostgresQuery<Output>) {
        sql = query.sql
        parameters = query.parameters
    }
}
