/// What a table has of people: each column of text, JSON or bytes, and which rows are a user's.
struct TableContent {
    /// How a row belongs to a row with a user's id.
    struct Link {
        let table: String
        /// The columns there; one name, or several with commas.
        let key: String
        /// The columns here.
        let columns: String
    }

    let table: String
    private let columns: [ColumnContent: [String]]
    /// Rows of these rows are the user's, too, whether they have the user's id or not.
    let links: [Link]
    /// Which rows with the id of the user are meant; nil: all.
    let condition: String?
    /// What the export shows in place of columns that in some rows, or in part, are not the user's: SQL, by column.
    let shown: [String: String]

    /// - Parameter columns: names, separated by spaces.
    init(
        _ table: String, _ columns: [ColumnContent: String] = [:], _ links: Link..., where condition: String? = nil,
        shown: [String: String] = [:]
    ) {
        (self.table, self.condition, self.shown) = (table, condition, shown)
        self.columns = columns.mapValues { $0.split(separator: " ").map(String.init) }
        self.links = links
    }

    func columns(_ content: ColumnContent) -> [String] { columns[content] ?? [] }

    var allColumns: [String] { ColumnContent.allCases.flatMap(columns) }
}

extension TableContent.Link {
    /// `columns` are those of one row of `table`.
    static func of(_ table: String, key: String = "id", by columns: String) -> Self {
        Self(table: table, key: key, columns: columns)
    }
}
