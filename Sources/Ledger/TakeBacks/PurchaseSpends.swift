package import Foundation
import Postgres

/// A spend or capture that took coins of a purchase, of which some did not come back.
package struct PurchaseSpend: Sendable, Equatable, Identifiable {
    package let redemption: Redemption
    /// The coins of the purchase that did not come back.
    package let ofPurchase: Int64
    /// The paid ones of them.
    package let paidOfPurchase: Int64
    package let recordedAt: Date
    /// Why the coins were spent, if it was told.
    package let reason: String?

    /// The journal entry of the spend or capture.
    package var id: Int64 { redemption.id }
    /// The coins of other lots that would come back with it.
    package var ofOthers: Int64 { redemption.coins - ofPurchase }
}

extension Redemptions {
    /// How many debits of each of the user's accounts are searched for spends, from the newest on.
    private static let searched: Int64 = 200

    /// The spends and captures that took coins of a purchase, newest first.
    ///
    /// Only the user's last 200 spends and captures are searched, as they are on the statement, so the time is bounded.
    /// The look-ups use the keys of postings and entries.
    package func list(ofPurchase purchase: Purchase) async throws(LedgerError) -> [PurchaseSpend] {
        try await reading {
            try await pools.reads.withConnection { connection in
                let entries = try await connection.run(
                    RedeemingEntry.newest(of: purchase.user, since: purchase.creditedAt, searched: Self.searched))
                let ids = entries.map(\.id)
                guard !ids.isEmpty else { return [] }
                let (found, lots) = try await connection.pipeline(
                    Redemption.find(ids), Redemption.lots(of: ids, ofPurchase: purchase.id))
                return Self.spends(found, of: purchase, lots, entries)
            }
        }
    }

    /// The spends and captures with these journal entries, in this order; those of another user, and unknown ones, are
    /// left out.
    package func find(_ ids: [Int64], of user: UserID) async throws(LedgerError) -> [Redemption] {
        let found = try await reading { try await pools.lookups.run(Redemption.find(ids)) }
        return ids.compactMap { id in found.first { $0.id == id && $0.user == user } }
    }

    private static func spends(
        _ found: [Redemption], of purchase: Purchase, _ lots: [Lot], _ entries: [RedeemingEntry]
    ) -> [PurchaseSpend] {
        let own = Set(lots.map(\.id))
        let redemptions = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return entries.compactMap { entry in
            guard let redemption = redemptions[entry.id] else { return nil }
            let uses = redemption.left.filter { own.contains($0.lotID) }
            guard !uses.isEmpty else { return nil }
            return PurchaseSpend(
                redemption: redemption, ofPurchase: uses.coins(.paid) + uses.coins(.bonus),
                paidOfPurchase: uses.coins(.paid), recordedAt: entry.recordedAt, reason: entry.reason)
        }
    }
}

/// The journal entry of a spend or capture.
private struct RedeemingEntry: Sendable {
    let id: Int64
    let recordedAt: Date
    let reason: String?

    /// The user's newest entries since a moment, newest first.
    static func newest(of user: UserID, since moment: Date, searched most: Int64) -> PostgresQuery<[RedeemingEntry]> {
        PostgresQuery(
            """
            SELECT entry.id, entry.recorded_at, entry.reason
            FROM (
                SELECT DISTINCT moved.journal_entry_id AS id
                FROM account
                CROSS JOIN LATERAL (
                    SELECT journal_entry_id FROM posting
                    WHERE posting.account_id = account.id AND posting.seq > account.seq - $3 AND side = 'D'
                    OFFSET 0
                ) AS moved
                WHERE account.owner = ANY\(UserAliases.names(of: "$1::text")) AND account.owner IS NOT NULL AND account.code NOT LIKE 'earnings:%'
            ) AS touched
            CROSS JOIN LATERAL (
                SELECT id, kind, recorded_at, reason FROM journal_entry WHERE journal_entry.id = touched.id OFFSET 0
            ) AS entry
            WHERE entry.kind IN ('spend', 'capture') AND entry.recorded_at >= $2
            ORDER BY entry.recorded_at DESC, entry.id DESC
            """, [user.rawValue, moment, most]
        ) { row in try row.make(RedeemingEntry.init) }
    }
}
