package import Foundation
import Postgres

/// What is open of one kind.
package struct OpenRows: Sendable, Equatable {
    /// The number, counted up to ``OpenItems/most``.
    package let count: Int64
    /// Since when the oldest is open; nil: none is.
    package let oldest: Date?
    /// The names of the first ones, such as ids, at most five.
    package let examples: [String]
}

extension OpenRows {
    /// The columns of a query whose rows are decoded by ``init(_:)``, of rows with `name` and `since`.
    static let columns = "count(*), min(since), coalesce((array_agg(name ORDER BY since, name))[1:5], '{}')"

    init(_ row: borrowing PostgresRow) throws {
        self.init(count: try row[0], oldest: try row[1], examples: try row[2])
    }
}

/// Rows of a table that need somebody, or that a worker has not finished.
///
/// The only place that says which rows these are: open items and the checklist of a closing both count them.
struct OpenWork: Sendable {
    let table: String
    let condition: String
    /// The column with the time since which a row is open.
    let since: String
    /// The name by which a person finds a row.
    var name = "id::text"
    /// The order in which the first rows are read, by an index.
    var order = "id"

    static let receipts = OpenWork(table: "receipt_retry", condition: "status = 'waiting'", since: "created_at")
    /// Refunds that the gateway has not decided, and those by bank transfer that are approved and not paid.
    static let refunds = OpenWork(
        table: "refund", condition: "status IN ('pending', 'approved')", since: "requested_at")
    static let webhooks = OpenWork(table: "webhook_event", condition: "status = 'waiting'", since: "received_at")
    static let reconciliations = OpenWork(
        table: "reconciliation_run", condition: "status = 'running'", since: "started_at")
    /// Lines without a payment that nobody dismissed, named by their file and line, as in the index `settlement_row_open`.
    static let settlementLines = OpenWork(
        table: "settlement_row", condition: "status = 'unmatched' AND NOT is_dismissed",
        since: "paid_out_at", name: "file_id || ' line ' || line")
    /// Payments of which the gateway has still to pay out a part, or paid out too much, as in the index
    /// `purchase_unsettled_by_time`.
    static let unsettledPayments = OpenWork(
        table: "purchase", condition: "amount - refunded_amount + transferred_amount <> settled_amount",
        since: "paid_at", order: "paid_at, id")

    /// SQL that counts the rows, up to ``OpenItems/most``.
    var count: String { count(upTo: OpenItems.most) }

    /// SQL that counts the rows, up to a number.
    func count(upTo most: Int64) -> String {
        "(SELECT count(*) FROM (SELECT FROM \(table) WHERE \(condition) LIMIT \(most)) AS counted)"
    }

    /// SQL for the time since which the first row is open; NULL: there is none.
    var oldest: String { "(SELECT \(since) FROM \(table) WHERE \(condition) ORDER BY \(order) LIMIT 1)" }

    /// SQL of what follows WHERE for the first rows, and the order in which an index has them.
    func first(_ most: Int64) -> String { "\(condition) ORDER BY \(order) LIMIT \(most)" }

    /// What is open since before a moment.
    func rows(before moment: Date) -> PostgresQuery<OpenRows> {
        .one(
            """
            SELECT \(OpenRows.columns) FROM (
                SELECT \(name) AS name, \(since) AS since FROM \(table)
                WHERE \(condition) AND \(since) < $1 ORDER BY \(order) LIMIT \(OpenItems.most)
            ) AS open
            """, [moment], row: OpenRows.init)
    }
}
