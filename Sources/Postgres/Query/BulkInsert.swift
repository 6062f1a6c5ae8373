/// A statement that inserts rows, of which each column is one array.
///
/// The name of a column, its type and where its values come from are said in one place:
///
/// ```swift
/// static let insert = BulkInsert<Wallet>(
///     into: "wallet", [.init("id", \.id), .init("code", \.code)], and: ["status": "'open'"])
///
/// try await connection.run(Wallet.insert(wallets))
/// ```
package struct BulkInsert<Row: Sendable>: Sendable {
    /// The statement, for a number of rows that only the parameters tell.
    package let sql: String
    private let columns: [Column]

    /// A column of the rows.
    package struct Column: Sendable {
        let name: String
        let type: PostgresType
        let values: @Sendable ([Row]) -> any PostgresEncodable

        /// A column with a value of each row.
        package init<Value: PostgresArrayElement>(_ name: String, _ value: @escaping @Sendable (Row) -> Value) {
            self.name = name
            type = [Value].postgresType
            values = { rows in rows.map(value) }
        }
    }

    /// Creates the statement.
    ///
    /// - Parameters:
    ///   - table: the table, with an alias if `ending` needs one.
    ///   - columns: those that differ by row.
    ///   - further: further columns, each with an SQL expression, which may use the columns' names and the parameters
    ///     after those of the columns.
    ///   - ending: what follows, such as `ON CONFLICT`.
    package init(
        into table: String, _ columns: [Column], and further: KeyValuePairs<String, String> = [:], ending: String = ""
    ) {
        self.columns = columns
        let names = columns.map(\.name)
        let arrays = columns.enumerated().map { place, column in "$\(place + 1)::\(column.type)" }
        let all = (names + further.map(\.key)).joined(separator: ", ")
        let values = (names + further.map(\.value)).joined(separator: ", ")
        sql = """
            INSERT INTO \(table) (\(all))
            SELECT \(values)
            FROM unnest(\(arrays.joined(separator: ", "))) AS new (\(names.joined(separator: ", ")))
            \(ending)
            """
    }

    /// Inserts rows, and returns how many.
    ///
    /// - Parameter further: the parameters after those of the columns.
    package func callAsFunction(
        _ rows: [Row], _ further: any PostgresEncodable...
    ) -> PostgresQuery<Int> {
        .affected(sql, columns.map { $0.values(rows) } + further)
    }
}
