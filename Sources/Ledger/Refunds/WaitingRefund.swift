package import Foundation
import Postgres

/// A pending refund, and why it waits.
package struct WaitingRefund: Sendable, Equatable {
    package let refund: Refund
    /// Why the gateway is asked again, such as `gateway_unavailable`.
    package let reason: String
    /// How often the gateway was asked.
    package let attempts: Int64
    /// When the gateway is asked next.
    package let nextAttemptAt: Date
}

extension Refunds {
    /// The pending refunds of all users, oldest first.
    package func listWaiting(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<WaitingRefund, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(WaitingRefund.list(after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { After(id: $0.refund.id) } }
        }
    }
}

extension WaitingRefund {
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    fileprivate static func list(after cursor: After<Int64>?, limit: Int) -> PostgresQuery<[WaitingRefund]> {
        PostgresQuery(
            """
            SELECT \(Refund.columns), refund.reason, refund.attempts, refund.next_attempt_at FROM refund
            WHERE status = 'pending' AND id > $1 ORDER BY id LIMIT $2
            """, [cursor?.id ?? 0, Int64(limit + 1)]
        ) { row in try row.make(WaitingRefund.init) }
    }
}
