package import Foundation
import Postgres

/// A gift, as both users' services see it.
package struct ListedGift: Sendable, Equatable {
    package let id: Int64
    package let giver: UserID
    package let receiver: UserID
    package let coins: Int64
    /// The coins of it that its receiver has, in the wallet or on hold, and has not given on.
    package let left: Int64
    package let recordedAt: Date
}

/// Reads gifts.
package struct Gifts: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The gifts from and to a user, under all ids of the user, newest first.
    package func list(of user: UserID, limit: Int) async throws(LedgerError) -> [ListedGift] {
        try await reading {
            try await pools.reads.run(
                PostgresQuery(
                    """
                    SELECT gift.id, from_user, to_user, gift.coins, lots.left, gift.recorded_at
                    FROM (
                        SELECT DISTINCT found.*
                        FROM (SELECT user_behind($1) AS id) AS present
                        CROSS JOIN LATERAL unnest(\(UserAliases.names(of: "present.id"))) AS called (name)
                        CROSS JOIN LATERAL (
                            (
                                SELECT * FROM gift WHERE from_user = called.name AND purchase_id IS NULL
                                ORDER BY recorded_at DESC LIMIT $2
                            )
                            UNION ALL
                            (
                                SELECT * FROM gift WHERE to_user = called.name AND purchase_id IS NULL
                                ORDER BY recorded_at DESC LIMIT $2
                            )
                        ) AS found
                    ) AS gift
                    CROSS JOIN LATERAL (
                        SELECT coalesce(sum(lot.remaining + lot.held), 0)::int8 AS left
                        FROM gift_lot JOIN lot ON lot.id = gift_lot.to_lot_id WHERE gift_lot.gift_id = gift.id
                    ) AS lots
                    ORDER BY gift.recorded_at DESC, gift.id DESC
                    LIMIT $2
                    """, [user.rawValue, Int64(limit)]
                ) { row in try row.make(ListedGift.init) })
        }
    }
}
