import Batching
package import Foundation
import Postgres

/// Where a user's list of orders goes on: after this one.
package struct OrderCursor: Sendable, Codable, Equatable {
    /// The last order's id.
    package let id: Int64
}

/// What users are about to pay.
///
/// An order moves nothing: it is no posting, and is written and read beside the books.
package struct Orders: Sendable {
    /// The most orders of one user that may be under way: they must not fill the table.
    package static let mostPerUser: Int64 = 1000

    private let pools: Pools
    private let named: BatchQueue<ExactText, Order?>

    init(_ pools: Pools) {
        self.pools = pools
        self.named = BatchQueue(capacity: 8192, batchLimit: 1024) { names in
            await answering(names) {
                let found = try await pools.lookups.run(Order.named(names.map(\.string)))
                let byName = Dictionary(
                    found.map { (ExactText($0.merchantUID), $0) }, uniquingKeysWith: { first, _ in first })
                return names.map { byName[$0] }
            }
        }
    }

    /// Makes an order.
    ///
    /// - Returns: nil when the user has made one under the same key before.
    package func make(_ draft: OrderDraft) async throws(LedgerError) -> Order? {
        try await reading { try await pools.writes.run(Order.insert(draft)).first }
    }

    /// The order that was made under this key, by the user who chose it.
    package func find(under key: CallerKey) async throws(LedgerError) -> Order? {
        try await reading { try await pools.reads.run(Order.made(under: key)).first }
    }

    /// The order with this name, whoever's it is.
    ///
    /// Look-ups at the same time share one query.
    package func find(named merchantUID: String) async throws(LedgerError) -> Order? {
        try await reading { try await named.submit(ExactText(merchantUID)) }
    }

    /// The user's own order with this id; nil when there is none or it is another's.
    package func find(_ id: Int64, of user: UserID) async throws(LedgerError) -> Order? {
        try await reading { try await pools.reads.run(Order.find(id, of: user)).first }
    }

    /// The user's orders that were made in the period, newest first.
    ///
    /// - Parameters:
    ///   - status: only those that stand so.
    ///   - now: when they do.
    package func list(
        of user: UserID, in period: Period = .always, _ status: Order.Status? = nil, at now: Date = Date(),
        after cursor: OrderCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Order, OrderCursor> {
        try await reading {
            let found = try await pools.reads.run(
                Order.history(of: user, in: period, status, at: now, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { OrderCursor(id: $0.id) } }
        }
    }

    /// Whether the user has as many orders under way as may be.
    package func isFull(for user: UserID) async throws(LedgerError) -> Bool {
        try await reading { try await pools.reads.run(Order.isFull(user, most: Self.mostPerUser)) }
    }

    /// Ends the shared look-ups.
    func close() async { await named.close() }
}
