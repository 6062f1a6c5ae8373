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
        try await reading { try await disputed(try await pools.reads.run(Dispute.find(id))).first }
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
}
