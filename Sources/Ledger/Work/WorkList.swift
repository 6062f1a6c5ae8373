import Foundation
import Postgres

/// The waiting items of one kind.
///
/// All processes share the list.
package struct WorkList<Item: WorkItem>: Sendable {
    /// The name of the item's table, which is also used in notifications.
    package let name: String
    let pools: Pools
    private let sql: WorkSQL<Item>

    init(_ pools: Pools) where Item: StoredWorkItem {
        name = Item.table
        self.pools = pools
        self.sql = WorkSQL()
    }

    /// Takes due items, and makes them due again after `lease`.
    ///
    /// No other process takes them during the lease, and a crash only delays them. An item whose row can't be read is
    /// left out and tried again after the lease.
    ///
    /// - Parameter unreadable: called for each item that is left out, with its id and the error.
    package func takeDue(
        limit: Int, lease: Duration, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Item] {
        try await reading { try await pools.work.run(sql.takeDue(limit: limit, lease: lease)) }.values(unreadable)
    }

    /// Makes the item due again after `delay`.
    package func postpone(_ item: Item, because reason: String, by delay: Duration) async throws(LedgerError) {
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
}

/// The SQL statements for all work tables.
private struct WorkSQL<Item: WorkItem>: Sendable {
    private let table: String
    private let waiting: String
    private let columns: String
    private let ordering: String
    private let isOpen: String
    private let decode: @Sendable (borrowing PostgresRow) throws -> Item

    init() where Item: StoredWorkItem {
        table = Item.table
        waiting = Item.waitingStatus
        columns = Item.columns
        ordering = Item.ordering
        isOpen =
            Item.staysWhenDueAgain ? " AND next_attempt_at > now() AND repeats = $4" : " AND $4::bigint IS NULL"
        decode = { row in try Item.decode(row) }
    }

    /// Takes due items.
    ///
    /// Unreadable rows are returned as errors.
    func takeDue(limit: Int, lease: Duration) -> PostgresQuery<[Readable<Item>]> {
        PostgresQuery(
            """
            UPDATE \(table)
            SET attempts = attempts + 1, next_attempt_at = now() + $2 * interval '1 millisecond'
            WHERE id IN (
                SELECT id FROM \(table)
                WHERE status = '\(waiting)' AND next_attempt_at <= now()
                ORDER BY \(ordering)
                LIMIT $1
                FOR UPDATE SKIP LOCKED)
            RETURNING \(columns)
            """,
            [Int64(limit), lease.milliseconds]
        ) { [decode] row in try Readable(id: try row[0], row, decode) }
    }

    func postpone(_ item: Item, because reason: String, by delay: Duration) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE \(table)
            -- An item that became due again while it was processed stays due, because there is news.
            SET reason = $2, next_attempt_at = CASE WHEN next_attempt_at <= now() THEN next_attempt_at
                ELSE now() + $3 * interval '1 millisecond' END
            WHERE id = $1 AND status = '\(waiting)'
            """,
            [item.id, reason, delay.milliseconds])
    }

    func decide(_ item: Item, _ decision: String, because reason: String) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE \(table) SET status = $2, reason = $3, decided_at = now()
            WHERE id = $1 AND status = '\(waiting)' AND attempts = $5\(isOpen)
            """,
            [item.id, decision, reason, item.repeats, item.attempts])
    }

    var count: PostgresQuery<Int> {
        PostgresQuery.one("SELECT count(*) FROM \(table) WHERE status = '\(waiting)'") { row in
            Int(try row.decode(0, as: Int64.self))
        }
    }
}
