import Foundation
import Postgres

extension Ledger {
    /// Whether an act is recorded under the key, so that whoever names it again is answered with that.
    package func hasRecorded(_ key: IdempotencyKey) async throws(LedgerError) -> Bool {
        try await reading { try await !pool.run(RecordedOutcome.under([key])).isEmpty }
    }

    /// What a refund of the purchase would come to now.
    ///
    /// - Parameter coins: how many bought coins; nil: all that can be given back.
    package func refundQuote(
        for coins: Coins?, of purchase: Purchase, policy: RefundPolicy
    ) async throws(LedgerError) -> RefundQuote {
        try await reading {
            try await pool.withConnection { connection in
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
