import Foundation
import Postgres

/// Coins of a spend, capture or refund that came back into one of its lots.
///
/// A return never changes. The database compares it with what the spend, capture or refund took from the lot.
struct CoinReturn: Sendable, Equatable {
    /// A new expiry of a lot that had expired.
    struct Extension: Sendable, Equatable {
        let expiredAt: Date
        let expiresAt: Date
    }

    /// The entry of the reversal.
    let journalEntryID: Int64
    /// The entry of the spend, capture or refund.
    let redemptionID: Int64
    let use: LotUse
    /// The lot's new expiry; nil: its expiry stays as it is.
    let `extension`: Extension?
}

extension CoinReturn {
    /// What an entry returns of a spend, capture or refund, with the new expiry of each lot.
    static func of(
        _ redemptionID: Int64, by journalEntryID: Int64, _ uses: [LotUse], _ extensions: [Extension?]
    ) -> [CoinReturn] {
        zip(uses, extensions).map { use, `extension` in
            CoinReturn(
                journalEntryID: journalEntryID, redemptionID: redemptionID, use: use, extension: `extension`)
        }
    }

    /// Inserts returns.
    ///
    /// All returns of an entry are in one statement, because the database checks each statement as a whole.
    static let insert = BulkInsert<CoinReturn>(
        into: "coin_return",
        [
            .init("journal_entry_id", \.journalEntryID), .init("lot_id", \.use.lotID),
            .init("redemption_id", \.redemptionID), .init("coins", \.use.coins), .init("amount", \.use.amount),
            .init("expires_at") { $0.extension?.expiresAt }, .init("expired_at") { $0.extension?.expiredAt },
        ])
}
