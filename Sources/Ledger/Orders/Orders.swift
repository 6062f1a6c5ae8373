import Batching
package import Foundation
import Postgres
import Timing

/// Creates and reads orders.
///
/// An order moves no money and no coins. It is not part of the journal.
package struct Orders: Sendable {
    /// The most unexpired orders of one user, so that nobody can fill the table.
    package static let mostPerUser: Int64 = 1000

    private let pools: Pools
    private let named: BatchQueue<ExactText, Order?>

    init(_ pools: Pools) {
        self.pools = pools
        self.named = pools.sharedLookups { names in
            let found = try await pools.lookups.run(Order.named(names.map(\.string)))
            let byName = Dictionary(
                found.map { (ExactText($0.merchantUID), $0) }, uniquingKeysWith: { first, _ in first })
            return names.map { byName[$0] }
        }
    }

    /// Creates an order.
    ///
    /// - Returns: nil when the user has an order under the same idempotency key.
    package func make(_ draft: OrderDraft) async throws(LedgerError) -> Order? {
        try await reading { try await pools.writes.run(Order.insert(draft)).first }
    }

    /// Records which orders have expired unpaid since the last call of any process, earliest first.
    ///
    /// - Returns: how many orders were looked at: about `limit` when there may be more.
    package func recordExpired(limit: Int) async throws(LedgerError) -> Int64 {
        try await reading { try await pools.work.run(Order.recordExpired(limit: limit)) }
    }

    /// The order with this idempotency key of the user.
    package func find(under key: CallerKey) async throws(LedgerError) -> Order? {
        try await reading {
            guard let order = try await pools.reads.run(Order.made(under: key)).first else { return nil }
            // The answer that the order is made must still be true after a failover.
            _ = try await pools.writes.run(Replication.mark)
            return order
        }
    }

    /// The order with this `merchant_uid`, of any user.
    ///
    /// Concurrent look-ups share one query.
    package func find(named merchantUID: String) async throws(LedgerError) -> Order? {
        try await reading { try await named.submit(ExactText(merchantUID)) }
    }

    /// The order with this id; nil: not found, or another user's.
    package func find(_ id: Int64, of user: UserID) async throws(LedgerError) -> Order? {
        try await reading { try await pools.reads.run(Order.find(id, of: user)).first }
    }

    /// The user's orders that were made in the period, newest first.
    ///
    /// - Parameters:
    ///   - status: only orders with this status; nil: all.
    ///   - now: the time for which the status is determined.
    package func list(
        of user: UserID, in period: Period = .always, _ status: Order.Status? = nil, at now: Date = Time.current.now,
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Order, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(
                Order.history(of: user, in: period, status, at: now, after: cursor, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// Whether the user has ``mostPerUser`` unexpired orders.
    package func isFull(for user: UserID) async throws(LedgerError) -> Bool {
        try await reading { try await pools.reads.run(Order.isFull(user, most: Self.mostPerUser)) }
    }

    /// Stops the queues of shared look-ups.
    func close() async { await named.close() }
}
