package import Foundation
import Postgres

/// Where the next page of disputes begins: after this dispute.
package struct DisputeCursor: Sendable, Codable, Equatable {
    /// The last dispute's id.
    package let id: Int64
}

/// A dispute with its payment.
package struct DisputedPurchase: Sendable, Equatable {
    package let dispute: Dispute
    package let purchase: Purchase
    /// The purchase's lots, if the dispute is booked as lost and was looked up alone: ``DecideDispute/lots``.
    package var lots: [Int64] = []
    /// When it was last decided otherwise than it is now, if it was, and was looked up alone.
    package var decidedOtherwiseAt: Date?
}

/// Reads disputes.
package struct Disputes: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Disputes of all users with their purchases, oldest first if they are open, newest first otherwise.
    ///
    /// - Parameter status: only disputes with this status; nil: all.
    package func list(
        _ status: Dispute.Status? = nil, after cursor: DisputeCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<DisputedPurchase, DisputeCursor> {
        try await reading {
            let found = try await pools.reads.run(Dispute.list(status, after: cursor, limit: limit))
            return Page(try await disputed(found), limit: limit) { shown in
                shown.last.map { DisputeCursor(id: $0.dispute.id) }
            }
        }
    }

    /// The dispute with this id, and its purchase.
    package func find(_ id: Int64) async throws(LedgerError) -> DisputedPurchase? {
        try await reading {
            guard var found = try await disputed(try await pools.reads.run(Dispute.find(id))).first else { return nil }
            if found.dispute.isBookedAsLost == true { found.lots = try await pools.lots(of: found.purchase) }
            found.decidedOtherwiseAt = try await pools.reads.run(Dispute.decidedOtherwise(id))
            return found
        }
    }

    /// The disputes of a purchase, oldest first.
    package func list(ofPurchase id: Int64) async throws(LedgerError) -> [Dispute] {
        try await reading {
            try await pools.reads.run(Dispute.of(purchases: [id], refunds: [], payments: [])).map(\.dispute)
        }
    }

    /// The purchases of a user with an open dispute.
    package func disputedPurchases(of user: UserID) async throws(LedgerError) -> Set<Int64> {
        try await reading { Set(try await pools.reads.run(Dispute.openPurchases(of: user))) }
    }

    private func disputed(_ disputes: [Dispute]) async throws -> [DisputedPurchase] {
        guard !disputes.isEmpty else { return [] }
        let purchases = try await pools.reads.run(Purchase.find(disputes.map(\.purchaseID), ofRefunds: []))
        let byID = Dictionary(purchases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return disputes.compactMap { dispute in
            byID[dispute.purchaseID].map { DisputedPurchase(dispute: dispute, purchase: $0) }
        }
    }
}

extension Pools {
    /// The lots of a purchase, also those that are used up, which no index has by purchase.
    ///
    /// They have the ids after that of the purchase's entry, unless the writer had to take new ids in between. Only then
    /// all lots are searched, which is why no writer does it.
    func lots(of purchase: Purchase) async throws -> [Int64] {
        let count = purchase.bonusCoins > 0 ? 2 : 1
        let near = try await reads.run(
            Lot.ids(where: "id = ANY($2)", of: purchase, [purchase.journalEntryID + 1, purchase.journalEntryID + 2]))
        guard near.count < count else { return near }
        return try await reads.run(Lot.ids(where: "cardinality($2::int8[]) = 0", of: purchase, []))
    }
}

// MARK: - SQL

extension Dispute {
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    fileprivate static func list(
        _ status: Status?, after cursor: DisputeCursor?, limit: Int
    ) -> PostgresQuery<[Dispute]> {
        let (place, order) = status == .open ? ("id > $1", "ASC") : ("id < $1", "DESC")
        return PostgresQuery(
            """
            SELECT \(columns) FROM dispute WHERE \(place) AND ($2::text IS NULL OR status = $2)
            ORDER BY id \(order) LIMIT $3
            """,
            [cursor?.id ?? (status == .open ? 0 : Int64.max), status?.rawValue, Int64(limit + 1)], row: decode)
    }

    /// Open disputes of all users are few and indexed.
    fileprivate static func openPurchases(of user: UserID) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT purchase_id FROM dispute WHERE status = 'open' AND user_id = $1", [user.rawValue]) {
            row in
            try row[0]
        }
    }

    fileprivate static func find(_ id: Int64) -> PostgresQuery<[Dispute]> {
        PostgresQuery("SELECT \(columns) FROM dispute WHERE id = $1", [id], row: decode)
    }

    fileprivate static func decidedOtherwise(_ id: Int64) -> PostgresQuery<Date?> {
        .first(
            """
            SELECT decision.decided_at
            FROM dispute JOIN dispute_decision AS decision ON decision.dispute_id = dispute.id
            WHERE dispute.id = $1 AND decision.outcome <> dispute.status
            ORDER BY decision.seq DESC LIMIT 1
            """, [id])
    }
}

extension Lot {
    fileprivate static func ids(
        where condition: StaticString, of purchase: Purchase, _ ids: [Int64]
    ) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT id FROM lot WHERE purchase_id = $1 AND \(condition)", [purchase.id, ids])
    }
}
