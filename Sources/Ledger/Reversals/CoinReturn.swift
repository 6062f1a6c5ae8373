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
    static func insert(_ returns: [CoinReturn]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO coin_return (journal_entry_id, lot_id, redemption_id, coins, amount, expires_at, expired_at)
            SELECT * FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::timestamptz[], $7::timestamptz[])
            """,
            [
                returns.map(\.journalEntryID), returns.map(\.use.lotID), returns.map(\.redemptionID),
                returns.map(\.use.coins), returns.map(\.use.amount), returns.map { $0.extension?.expiresAt },
                returns.map { $0.extension?.expiredAt },
            ])
    }
}
