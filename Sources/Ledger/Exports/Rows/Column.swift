/// A column of an export: its name, and the SQL that makes it.
struct Column: Sendable {
    /// What a value is.
    enum Kind: Sendable {
        /// A `bigint`.
        case integer
        /// A `text`.
        case text
        /// A `timestamptz`.
        case time
    }

    /// What the amounts of a column are counted in.
    enum Unit: Sendable {
        /// Always this.
        case currency(Currency)
        /// What the row's column of this name says.
        case column(String)
    }

    let name: String
    let kind: Kind
    let sql: String
    /// What stands in its place in rows that do not have it.
    let empty: String
    /// Given, the trailer adds the column up.
    let total: Unit?
    /// Whether it is written; one that is not comes after all that are, and helps the writer.
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
    /// What stands between `SELECT` and `FROM`.
    var selection: String {
        map { "\($0.sql) AS \"\($0.name)\"" }.joined(separator: ", ")
    }

    /// The same for rows that do not have these columns.
    var emptySelection: String {
        map { "\($0.empty)::\($0.kind.sqlType) AS \"\($0.name)\"" }.joined(separator: ", ")
    }
}

extension Column.Kind {
    fileprivate var sqlType: String {
        switch self {
        case .integer: "bigint"
        case .text: "text"
        case .time: "timestamptz"
        }
    }
}
