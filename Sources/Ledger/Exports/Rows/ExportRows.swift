import Postgres

/// The source of an export's rows: a sequence of `COPY` statements in one snapshot.
///
/// `COPY` takes no parameters. The statements contain only numbers and times as literals.
protocol ExportRows: Sendable {
    /// The columns of every statement.
    var columns: [Column] { get }

    /// The number of first columns that a head has for the rows after it; 0: there are no heads.
    ///
    /// A head is a row in which the column after these is NULL. Only rows with the same first column as their head are
    /// written.
    var headColumns: Int { get }

    /// The settings that the statements need for their plans, as SQL.
    var settings: [String] { get }

    /// The next `SELECT`; nil: there are no more.
    mutating func next(on connection: PostgresConnection) async throws -> String?

    /// The part of the rows covered by the statements so far, 0 to 1; nil: unknown.
    var progress: Double? { get }
}

/// Rows of a fixed list of statements.
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
