import Postgres

/// A work item that waits in a table until it is due, such as a receipt to verify again or an event to process.
///
/// Its table has the columns `id`, `status` (the waiting status or a decision), `reason`, `attempts`, `next_attempt_at`,
/// `lease_holder` (``Presence``) and `decided_at`.
package protocol WorkItem: Sendable, Identifiable where ID == Int64 {
    /// The possible final decisions.
    associatedtype Decision: RawRepresentable<String>

    /// How often the item was taken.
    var attempts: Int64 { get }
    /// How often news of the item had come when it was taken; nil: its kind gets no news.
    var repeats: Int64? { get }
}

extension WorkItem {
    package var repeats: Int64? { nil }
}

/// A work item that is stored in a table.
protocol StoredWorkItem: WorkItem, PostgresReadable {
    static var table: String { get }
    /// The status of waiting items.
    static var waitingStatus: String { get }
    /// The `ORDER BY` terms in which due items are taken.
    static var ordering: String { get }
    /// Whether an item stays waiting if news of it came while it was processed, even if it is decided.
    ///
    /// The news may have made another process take the item, so that it is not due any more. The column `repeats`
    /// counts the news.
    static var staysWhenDueAgain: Bool { get }
    /// What else is assigned when an item is postponed, with a comma after it; `reason` is the old one and `$2` the new one.
    static var assignedWhenPostponed: String { get }
    /// The columns that ``PostgresReadable/read(_:at:)`` reads.
    static var columns: String { get }
}

extension StoredWorkItem {
    static var waitingStatus: String { "waiting" }
    static var ordering: String { "next_attempt_at" }
    static var staysWhenDueAgain: Bool { false }
    static var assignedWhenPostponed: String { "" }
}
