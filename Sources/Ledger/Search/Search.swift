package import Foundation
import Postgres

/// Something that has a searched name, and the customer that it belongs to.
package struct SearchMatch: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case user, purchase, refund, hold, order, receipt
    }

    package let kind: Kind
    /// The id; nil for a user.
    package let id: Int64?
    package let user: UserID
    /// The order's name at the gateway, if it has one.
    package let merchantUID: String?
    /// When it was made; nil for a user.
    package let at: Date?
}

/// Finds customers by any name that support is told.
package struct Search: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The most matches that are returned.
    package static let most = 50

    /// What has this name: a user, `imp_uid`, `merchant_uid` or `payment_id`, or the id of a purchase, refund, hold or
    /// order.
    ///
    /// A further name of a purchase's payment is found once the gateway has shown it, or a finding was noted under it.
    ///
    /// Only exact names are found, each through an index.
    ///
    /// - Parameter gateways: the names of the gateways whose kept receipts are searched.
    package func find(_ name: String, gateways: [String]) async throws(LedgerError) -> [SearchMatch] {
        guard UserID(rawValue: name) != nil || name.unicodeScalars.count <= 256 else { return [] }
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return [] }
        return try await reading { try await pools.lookups.run(Self.matches(name, gateways)) }
    }

    /// Whether there is any record of the user: an account of coins, an order or a kept receipt.
    package func knows(_ user: UserID) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.lookups.run(
                .one("SELECT \(Self.isKnown)", [user.rawValue]))
        }
    }

    /// Whether the user of the first parameter has a record; each is found through an index.
    private static let isKnown = """
        (EXISTS (SELECT FROM account WHERE owner = $1 AND owner IS NOT NULL AND code NOT LIKE 'earnings:%'
            AND code NOT LIKE 'payable:%')
            OR EXISTS (SELECT FROM "order" WHERE user_id = $1)
            OR EXISTS (SELECT FROM receipt_retry WHERE user_id = $1))
        """

    private static func matches(_ name: String, _ gateways: [String]) -> PostgresQuery<[SearchMatch]> {
        PostgresQuery(
            """
            SELECT DISTINCT kind, id, user_id, merchant_uid, at FROM (
                SELECT 'user' AS kind, NULL::bigint AS id, $1 AS user_id, NULL AS merchant_uid, NULL::timestamptz AS at
                WHERE \(isKnown)
                UNION ALL
                SELECT 'purchase', id, user_id, merchant_uid, credited_at FROM purchase WHERE imp_uid = $1
                UNION ALL
                SELECT 'purchase', id, user_id, merchant_uid, credited_at FROM purchase WHERE merchant_uid = $1
                UNION ALL
                SELECT 'purchase', id, user_id, merchant_uid, credited_at FROM purchase WHERE id = $2
                UNION ALL
                SELECT 'purchase', purchase.id, purchase.user_id, purchase.merchant_uid, purchase.credited_at
                FROM (\(Purchase.furtherNames("= $1"))) AS name JOIN purchase ON purchase.id = name.purchase_id
                UNION ALL
                SELECT 'refund', id, user_id, NULL, requested_at FROM refund WHERE id = $2
                UNION ALL
                SELECT 'hold', id, user_id, reference, placed_at FROM hold WHERE id = $2
                UNION ALL
                SELECT 'order', id, user_id, merchant_uid, created_at FROM "order" WHERE merchant_uid = $1
                UNION ALL
                SELECT 'order', id, user_id, merchant_uid, created_at FROM "order" WHERE id = $2
                UNION ALL
                SELECT 'receipt', id, user_id, merchant_uid, created_at FROM receipt_retry
                WHERE gateway = ANY($4) AND imp_uid = $1 AND status <> 'credited'
            ) AS match
            ORDER BY at DESC NULLS FIRST, kind, id
            LIMIT $3
            """,
            [name, Int64(name) ?? 0, Int64(most), gateways]
        ) { row in try row.make(SearchMatch.init) }
    }
}

extension SearchMatch.Kind: PostgresRawRepresentable {}
