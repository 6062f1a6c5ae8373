import Foundation
import Postgres

/// The waiting items of one kind.
///
/// All processes share the list.
package struct WorkList<Item: WorkItem>: Sendable {
    /// The name of the item's table, which is also used in notifications.
    package let name: String
    let pools: Pools
    let presence: Presence
    private let sql: WorkSQL<Item>

    init(_ pools: Pools, _ presence: Presence) where Item: StoredWorkItem {
        name = Item.table
        self.pools = pools
        self.presence = presence
        self.sql = WorkSQL()
    }

    /// Takes due items, and makes them due again after `lease`, or when this process ends.
    ///
    /// No other process takes them during the lease. An item whose row can't be read is left out and tried again after
    /// the lease.
    ///
    /// - Parameter unreadable: called for each item that is left out, with its id and the error.
    package func takeDue(
        limit: Int, lease: Duration, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Item] {
        try await reading {
            try await pools.work.run(sql.takeDue(limit: limit, lease: lease, by: presence.leaseHolder))
        }
        .values(unreadable)
    }

    /// Makes the item due again after `delay`, unless it was taken again since: its lease is another worker's.
    ///
    /// - Parameter reason: nil: the item keeps its reason.
    package func postpone(_ item: Item, because reason: String?, by delay: Duration) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(sql.postpone(item, because: reason, by: delay)) }
    }

    /// Ends the item with a decision, unless it was taken again since: another worker may know more.
    package func decide(_ item: Item, _ decision: Item.Decision, because reason: String) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(sql.decide(item, decision.rawValue, because: reason)) }
    }

    /// The number of waiting items.
    package func waiting() async throws(LedgerError) -> Int {
        try await reading { try await pools.work.run(sql.count) }
    }

    /// Makes items due that ended processes had leased, and counts them.
    static func endLeases() -> PostgresQuery<Int> where Item: StoredWorkItem {
        .affected(
            """
            UPDATE \(Item.table) SET lease_holder = NULL, next_attempt_at = least(next_attempt_at, now())
            WHERE id IN (
                SELECT id FROM \(Item.table) WHERE status = '\(Item.waitingStatus)' AND \(Presence.isGone)
                FOR UPDATE SKIP LOCKED)
            """)
    }
}

/// The SQL statements for all work tables.
private struct WorkSQL<Item: WorkItem>: Sendable {
    private let table: String
    private let waiting: String
    private let columns: String
    private let ordering: String
    private let isOpen: String
    private let whenPostponed: String
    private let decode: @Sendable (borrowing PostgresRow) throws -> Readable<Item>

    init() where Item: StoredWorkItem {
        table = Item.table
        waiting = Item.waitingStatus
        columns = Item.columns
        ordering = Item.ordering
        isOpen =
            Item.staysWhenDueAgain ? " AND next_attempt_at > now() AND repeats = $4" : " AND $4::bigint IS NULL"
        whenPostponed = Item.assignedWhenPostponed
        decode = { row in try Readable(row) }
    }

    /// Takes due items.
    ///
    /// Unreadable rows are returned as errors.
    func takeDue(limit: Int, lease: Duration, by holder: Int64?) -> PostgresQuery<[Readable<Item>]> {
        PostgresQuery(
            """
            UPDATE \(table)
            SET attempts = attempts + 1, next_attempt_at = now() + $2 * interval '1 millisecond', lease_holder = $3
            WHERE id IN (
                SELECT id FROM \(table)
                WHERE status = '\(waiting)' AND next_attempt_at <= now()
                ORDER BY \(ordering)
                LIMIT $1
                FOR UPDATE SKIP LOCKED)
            RETURNING \(columns)
            """,
            [Int64(limit), lease.milliseconds, holder], row: decode)
    }

    func postpone(_ item: Item, because reason: String?, by delay: Duration) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE \(table)
            -- An item that became due again while it was processed stays due, because there is news. It keeps its
            -- reason too: a reason such as "look again later" tells the next attempt that it was waited for.
            SET reason = CASE WHEN next_attempt_at <= now() THEN reason ELSE coalesce($2, reason) END,
                next_attempt_at = CASE WHEN next_attempt_at <= now() THEN next_attempt_at
                    ELSE now() + $3 * interval '1 millisecond' END,
                \(whenPostponed)
                lease_holder = NULL
            WHERE id = $1 AND status = '\(waiting)' AND attempts = $4
            """,
            [item.id, reason, delay.milliseconds, item.attempts])
    }

    func decide(_ item: Item, _ decision: String, because reason: String) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE \(table) SET status = $2, reason = $3, lease_holder = NULL, decided_at = now()
            WHERE id = $1 AND status = '\(waiting)' AND attempts = $5\(isOpen)
            """,
            [item.id, decision, reason, item.repeats, item.attempts])
    }

    var count: PostgresQuery<Int> {
        PostgresQuery.one("SELECT count(*) FROM \(table) WHERE status = '\(waiting)'")
    }
}
