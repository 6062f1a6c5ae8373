package import Foundation
import Postgres

/// A capture, a reversal of one, or a repayment of a claim, that a payout pays or nets off.
package struct PayoutShare: Sendable, Equatable {
    package let provider: UserID
    /// The entry of the capture, reversal or repayment.
    package let journalEntryID: Int64
    /// The entry of the capture; nil for a repayment.
    package let captureID: Int64?
    /// The version of the terms; nil for a repayment.
    package let termsID: Int64?
    /// The won that were recognised, deferred again, or paid back.
    package let won: Int64
    /// What it adds to the payout: below zero for a reversal.
    package let change: Int64
    package let recordedAt: Date
}

/// Where the next page of a payout's captures begins: after this one.
package struct PayoutShareCursor: Sendable, Codable, Equatable {
    /// The last one's provider.
    package let provider: String
    /// The last one's entry.
    package let journalEntryID: Int64
}

extension PayoutShare {
    /// What a payout pays, by provider and entry.
    ///
    /// Reads only the page, by `provider_share_paid` and `provider_repayment_of_payout`. Returns up to `limit` + 1 rows,
    /// to show whether there are more.
    static func list(
        of payout: Int64, _ provider: UserID?, after cursor: PayoutShareCursor?, limit: Int
    ) -> PostgresQuery<[PayoutShare]> {
        let place =
            provider == nil ? "(provider, journal_entry_id) > ($2, $3)" : "provider = $2 AND journal_entry_id > $3"
        let first = "WHERE payout_id = $1 AND \(place) ORDER BY provider, journal_entry_id LIMIT $4"
        return PostgresQuery(
            """
            (
                SELECT provider, journal_entry_id, capture_id, terms_id, amount,
                    CASE WHEN journal_entry_id <> capture_id THEN -share ELSE share END, recorded_at
                FROM provider_share \(first)
            )
            UNION ALL
            (SELECT provider, journal_entry_id, NULL, NULL, amount, amount, recorded_at FROM provider_repayment \(first))
            ORDER BY provider, journal_entry_id
            LIMIT $4
            """,
            [payout, provider?.rawValue ?? cursor?.provider ?? "", cursor?.journalEntryID ?? 0, Int64(limit + 1)]
        ) { row in try row.make(PayoutShare.init) }
    }
}

extension Payouts {
    /// The captures, reversals and repayments that a payout pays, by provider and entry.
    ///
    /// - Parameter provider: only this provider's; nil: all.
    package func shares(
        of payout: Int64, _ provider: UserID? = nil, after cursor: PayoutShareCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<PayoutShare, PayoutShareCursor> {
        try await reading {
            let found = try await pools.reads.run(
                PayoutShare.list(of: payout, provider, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in
                shown.last.map {
                    PayoutShareCursor(provider: $0.provider.rawValue, journalEntryID: $0.journalEntryID)
                }
            }
        }
    }
}
