import Foundation
import Postgres

/// The refunds, of which those that are pending are work.
package typealias Refunds = WorkList<PendingRefund>

extension Refunds {
    /// The refund with this id.
    package func find(_ id: Int64) async throws(LedgerError) -> Refund? {
        try await reading { try await pools.reads.run(Refund.find(id)).first }
    }

    /// All refunds of these purchases, by purchase, in the order in which they were requested.
    package func list(ofPurchases purchases: [Int64]) async throws(LedgerError) -> [Int64: [Refund]] {
        try await reading {
            Dictionary(grouping: try await pools.reads.run(Refund.of(purchases: purchases)), by: \.purchaseID)
        }
    }

    /// Has a pending refund of the purchase worked on at once, because something was heard of its payment.
    ///
    /// - Returns: whether there is one.
    package func expedite(ofPurchase id: Int64) async throws(LedgerError) -> Bool {
        try await reading {
            let update = PostgresQuery<Int>.affected(
                "UPDATE refund SET next_attempt_at = now() WHERE purchase_id = $1 AND status = 'pending'", [id])
            return try await pools.work.run(update) > 0
        }
    }

    /// What a refund of the purchase would come to now.
    ///
    /// - Parameter coins: how many bought coins; nil: all that can be given back.
    package func quote(
        for coins: Coins?, of purchase: Purchase, policy: RefundPolicy
    ) async throws(LedgerError) -> RefundQuote {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (open, expired, pending, balance) = try await connection.pipeline(
                    Lot.open(of: [purchase.user]), Lot.expired(ofPurchases: [purchase.id]),
                    Refund.find([], pendingOf: [purchase.id], and: []),
                    Balance.of([purchase.user]))
                let debt = Balance.assemble([purchase.user], from: balance)[0].debt
                return RefundQuote(
                    coins, of: purchase, lots: open + expired, policy: policy,
                    obstacles: .init(debt: debt, isInProgress: !pending.isEmpty), at: Date())
            }
        }
    }
}
