import Postgres

// How a part of a plan meets the database: its look-ups, and the statements that write it. Both are in the file of each
// part; ``BatchStore`` has their order.

/// What a look-up found, to be added to a snapshot.
typealias SnapshotPart = @Sendable (inout Snapshot) -> Void

extension PostgresQuery {
    /// A look-up whose result is added to a snapshot.
    func into(_ add: @escaping @Sendable (inout Snapshot, Output) -> Void) -> PostgresQuery<SnapshotPart> {
        map { found in { snapshot in add(&snapshot, found) } }
    }

    /// A look-up whose rows are added to those of a snapshot.
    func into<Row>(
        _ rows: any WritableKeyPath<Snapshot, [Row]> & Sendable
    ) -> PostgresQuery<SnapshotPart> where Output == [Row] {
        into { snapshot, found in snapshot[keyPath: rows] += found }
    }
}

extension PostgresQuery<Int> {
    /// The statement that writes rows; none without rows.
    static func facts<Row>(_ rows: [Row], _ insert: ([Row]) -> PostgresQuery<Int>) -> [PostgresQuery<Int>] {
        rows.isEmpty ? [] : [insert(rows)]
    }

    /// The statement that inserts rows; none without rows.
    static func facts<Row>(_ rows: [Row], _ insert: BulkInsert<Row>) -> [PostgresQuery<Int>] {
        facts(rows) { insert($0) }
    }
}
