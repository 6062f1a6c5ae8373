import Postgres

/// Where an export's rows come from: `COPY` statements, one after the other, all of one snapshot.
///
/// `COPY` takes no parameters. What varies in the statements is numbers and times only, written as literals by us.
protocol ExportRows: Sendable {
    /// The columns of every statement.
    var columns: [Column] { get }

    /// How many of the first columns a head tells for the rows behind it; 0: there are no heads.
    ///
    /// A head is a row in which the next column is NULL. Only its own rows, those with the same first column, are
    /// written.
    var headColumns: Int { get }

    /// Settings that the plans of the statements rely on, as SQL.
    var settings: [String] { get }

    /// The next `SELECT`; nil when all were given.
    mutating func next(on connection: PostgresConnection) async throws -> String?

    /// How much of the rows the statements given so far hold, from 0 to 1; nil when that is not known.
    var progress: Double? { get }
}

/// Rows of statements that are known from the beginning.
struct FixedRows: ExportRows {
    let columns: [Column]
    var headColumns: Int { 0 }
    var settings: [String] = []
    private var statements: ArraySlice<String>

    init(columns: [Column], settings: [String] = [], _ statements: [String]) {
        self.columns = columns
        self.settings = settings
        self.statements = statements[...]
    }

    mutating func next(on connection: PostgresConnection) -> String? { statements.popFirst() }

    var progress: Double? { nil }
}
