import Postgres

/// Something to do that waits in a table until it is due: a receipt to ask about again, an event to work off.
///
/// Its table has the columns `id`, `status` (`waiting` or another name of that, or a decision), `reason`, `attempts`, `next_attempt_at` and
/// `decided_at`.
package protocol WorkItem: Sendable, Identifiable where ID == Int64 {
    /// What may become of it in the end.
    associatedtype Decision: RawRepresentable<String>

    /// How often it was taken.
    var attempts: Int64 { get }
}

/// How a work item is read from its table.
protocol StoredWorkItem: WorkItem {
    static var table: String { get }
    /// The status of those that wait.
    static var waitingStatus: String { get }
    /// In which order those that are due are taken.
    static var ordering: String { get }
    /// Whether an item that was made due again while it was worked on is not ended by what came of that.
    static var staysWhenDueAgain: Bool { get }
    /// The columns that `decode` reads.
    static var columns: String { get }
    static func decode(_ row: borrowing PostgresRow) throws -> Self
}

extension StoredWorkItem {
    static var waitingStatus: String { "waiting" }
    static var ordering: String { "next_attempt_at" }
    static var staysWhenDueAgain: Bool { false }
}
