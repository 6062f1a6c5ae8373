/// A column of an export.
struct Column: Sendable {
    /// The type of the values.
    enum Kind: Sendable {
        /// A `bigint` that is counted or added up.
        case integer
        /// A `bigint` that names a thing: a spreadsheet must not calculate with it, nor round it.
        case id
        /// A `text`.
        case text
        /// A `timestamptz`.
        case time
    }

    /// The currency of a column's amounts.
    enum Unit: Sendable {
        /// A fixed currency.
        case currency(Currency)
        /// The value of this other column.
        case column(String)
    }

    let name: String
    let kind: Kind
    let sql: String
    /// The SQL for rows that do not have the column.
    let empty: String
    /// The unit of the sum in the trailer; nil: no sum.
    let total: Unit?
    /// Whether the column is written.
    ///
    /// Hidden columns come last and are only for the writer.
    let isShown: Bool

    init(_ name: String, _ kind: Kind, _ sql: String, empty: String = "NULL", total: Unit? = nil, isShown: Bool = true)
    {
        self.name = name
        self.kind = kind
        self.sql = sql
        self.empty = empty
        self.total = total
        self.isShown = isShown
    }
}

extension Collection<Column> {
    /// The SQL between `SELECT` and `FROM`.
    var selection: String {
        map { "\($0.sql) AS \"\($0.name)\"" }.joined(separator: ", ")
    }

    /// The SQL between `SELECT` and `FROM` for rows that do not have these columns.
    var emptySelection: String {
        map { "\($0.empty)::\($0.kind.sqlType) AS \"\($0.name)\"" }.joined(separator: ", ")
    }
}

extension Column.Kind {
    fileprivate var sqlType: String {
        switch self {
        case .integer, .id: "bigint"
        case .text: "text"
        case .time: "timestamptz"
        }
    }
}
