import Foundation
import Postgres

/// The items of one kind that wait, shared by all processes on the database.
package struct WorkList<Item: WorkItem>: Sendable {
    /// What it is called where work is told of: the name of its table.
    package let name: String
    let pools: Pools
    private let sql: WorkSQL<Item>

    init(_ pools: Pools) where Item: StoredWorkItem {
        name = Item.table
        self.pools = pools
        self.sql = WorkSQL()
    }

    /// Takes items that are due, and puts their next turn `lease` ahead.
    ///
    /// No other process takes them meanwhile, and a crash only delays them. One whose row can't be read is left out and
    /// tried again with the next lease: it holds nobody else up.
    ///
    /// - Parameter unreadable: told the id of each item that is left out, and why.
    package func takeDue(
        limit: Int, lease: Duration, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Item] {
        try await reading { try await pools.work.run(sql.takeDue(limit: limit, lease: lease)) }.values(unreadable)
    }

    /// Has the item taken again after `delay`.
    package func postpone(_ item: Item, because reason: String, by delay: Duration) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(sql.postpone(item, because: reason, by: delay)) }
    }

    /// Ends the item's waiting.
    package func decide(_ item: Item, _ decision: Item.Decision, because reason: String) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(sql.decide(item, decision.rawValue, because: reason)) }
    }

    /// How many items wait.
    package func waiting() async throws(LedgerError) -> Int {
        try await reading { try await pools.work.run(sql.count) }
    }
}

/// The statements that all work tables have in common.
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
        isOpen = Item.staysWhenDueAgain ? " AND next_attempt_at > now()" : ""
        decode = { row in try Item.decode(row) }
    }

    /// The items by their ids, each as far as it can be read.
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
            -- An item that was made due again while it was worked on stays due: something new was heard of it.
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
            WHERE id = $1 AND status = '\(waiting)'\(isOpen)
            """,
            [item.id, decision, reason])
    }

    var count: PostgresQuery<Int> {
        PostgresQuery.one("SELECT count(*) FROM \(table) WHERE status = '\(waiting)'") { row in
            Int(try row.decode(0, as: Int64.self))
        }
    }
}
