package import Foundation
import Postgres
import Timing

/// Reads refunds.
///
/// Pending refunds are a work list.
package typealias Refunds = WorkList<PendingRefund>

extension Refunds {
    /// The refund with this id.
    package func find(_ id: Int64) async throws(LedgerError) -> Refund? {
        try await reading {
            guard let refund = try await pools.reads.run(Refund.find(id)).first else { return nil }
            // The answer that a refund is decided must still be true after a failover.
            if refund.status != .pending { _ = try await pools.writes.run(Replication.mark) }
            return refund
        }
    }

    /// All refunds of a purchase, in the order in which they were requested.
    package func list(ofPurchase id: Int64) async throws(LedgerError) -> [Refund] {
        try await reading { try await pools.reads.run(Refund.of(purchases: [id])) }
    }

    /// The refunds of a customer that the gateway or finance has not decided, newest first, at most `limit`.
    package func list(openOf user: UserID, limit: Int) async throws(LedgerError) -> [Refund] {
        try await reading { try await pools.reads.run(Refund.open(of: user, limit: limit)) }
    }

    /// Makes a pending refund of the purchase due now, because there is news of its payment.
    ///
    /// - Returns: whether there is a pending refund.
    package func expedite(ofPurchase id: Int64) async throws(LedgerError) -> Bool {
        try await reading {
            let update = PostgresQuery<Int>.affected(
                "UPDATE refund SET next_attempt_at = now() WHERE purchase_id = $1 AND status = 'pending'", [id])
            return try await pools.work.run(update) > 0
        }
    }

    /// Makes a pending refund due now whose cancellation was never requested, such as one whose process did not learn
    /// that it was begun.
    package func takeUp(_ id: Int64) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(
                PostgresQuery<Int>.affected(
                    """
                    UPDATE refund SET next_attempt_at = now()
                    WHERE id = $1 AND status = 'pending' AND asked_at IS NULL AND next_attempt_at > now()
                    """, [id]))
        }
    }

    /// Stores that the gateway is about to be asked to cancel, before it is asked.
    ///
    /// So another process knows that a cancellation may be under way, and of several processes only one asks. All ask
    /// the same: the tax-free part is stored with the first request.
    ///
    /// - Parameter taxFree: the tax-free part of the amount, if the refund has none yet; nil: none is sent.
    /// - Returns: nil: another process has asked since the refund was read, or it is decided.
    package func beginAsking(
        _ pending: PendingRefund, taxFree: Int64? = nil
    ) async throws(LedgerError) -> PendingRefund.Asking? {
        try await reading { try await pools.work.run(pending.askingBegins(taxFree: taxFree)) }
    }

    /// Stores that a request which ``beginAsking(_:)`` announced at this time did not reach the gateway.
    package func wasNotAsked(_ pending: PendingRefund, at time: Date) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(
                PostgresQuery<Int>.affected(
                    "UPDATE refund SET asked_at = NULL WHERE id = $1 AND asked_at = $2", [pending.id, time]))
        }
    }

    /// Previews a refund of the purchase.
    ///
    /// - Parameters:
    ///   - coins: paid coins to refund; nil: all that can be refunded.
    ///   - isWaived: whether somebody waives the fee.
    package func quote(
        for coins: Coins?, of purchase: Purchase, policy: RefundPolicy, isWaived: Bool = false
    ) async throws(LedgerError) -> RefundQuote {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (open, expired, given, known, balance) = try await connection.pipeline(
                    Lot.open(ofPurchases: [purchase.id]), Lot.expiredOrTaxed(ofPurchases: [purchase.id]),
                    Lot.givenWithOrigins(ofPurchases: [purchase.id], []),
                    Refund.find([], undecidedOf: [purchase.id], and: []),
                    Balance.of([purchase.user]))
                let debt = Balance.assemble([purchase.user], from: balance)[0].debt
                return RefundQuote(
                    coins, of: purchase, lots: open + expired + given,
                    given: given.filter { $0.originID != nil }, policy: policy,
                    obstacles: .init(debt: debt, isInProgress: known.contains { $0.status == .pending }),
                    before: RefundsBefore(known), isWaived: isWaived, at: Time.current.now)
            }
        }
    }
}
