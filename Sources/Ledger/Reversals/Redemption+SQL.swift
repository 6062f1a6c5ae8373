import Foundation
import Postgres

/// Reads spends and captures, with what is left of them after reversals.
package struct Redemptions: Sendable {
    let pools: Pools
    private let lotLimits: LotLimits

    init(_ pools: Pools, _ lotLimits: LotLimits) {
        self.pools = pools
        self.lotLimits = lotLimits
    }

    /// Why these spends and captures can't come back in one act, whatever else holds: they used more lots than an act may
    /// change; nil: they did not.
    ///
    /// The act is refused for the same reason, but it reads all these lots under the locks of its stripe first, so its
    /// caller asks before.
    package func refusal(ofTakingBack redemptions: [Redemption]) -> Refusal? {
        lotLimits.refusal(of: redemptions.flatMap { $0.left.map(\.coins) })
    }

    /// How many of the coins that did not come back have a place in their lots now; the act refuses more
    /// (``Refusal/noPlaceForCoins(required:available:)``).
    package func fitting(of redemption: Redemption) async throws(LedgerError) -> Int64 {
        let ids = redemption.left.map(\.lotID)
        let lots = try await reading { try await pools.lookups.run(Lot.find(ids, ofHolds: [])) }
        return redemption.fitting(into: lots)
    }

    /// The spend or capture with this journal entry, of any user.
    package func find(_ id: Int64) async throws(LedgerError) -> Redemption? {
        try await reading { try await pools.lookups.run(Redemption.find([id])).first }
    }
}

extension Redemption {
    /// The spends and captures with these journal entries.
    static func find(_ ids: [Int64]) -> PostgresQuery<[Redemption]> {
        PostgresQuery(
            """
            SELECT journal_entry_id, outcome #>> '{holdCaptured,_0,provider}',
                (outcome #>> '{holdCaptured,_0,hold,id}')::int8,
                \(UserAliases.now("used.user_id")),
                \(uses),
                (
                    SELECT coalesce(jsonb_agg(jsonb_build_object('lotID', lot_id, 'coins', coins, 'amount', amount)), '[]')
                    FROM coin_return WHERE redemption_id = idempotency.journal_entry_id
                ),
                outcome #> '{holdCaptured,_0,share}'
            FROM idempotency
            CROSS JOIN LATERAL (
                SELECT coalesce(outcome #>> '{spent,_0,balance,user}', outcome #>> '{holdCaptured,_0,balance,user}') AS user_id
            ) AS used
            WHERE journal_entry_id = ANY($1) AND command IN ('spend', 'capture')
            """,
            [ids]
        ) { row in try row.decode(of: "idempotency", read) }
    }

    /// The lots that the spends and captures with these journal entries used.
    ///
    /// - Parameter purchase: only lots of this purchase; nil: all.
    static func lots(of ids: [Int64], ofPurchase purchase: Int64? = nil) -> PostgresQuery<[Lot]> {
        Lot.find(
            where: """
                id = ANY(ARRAY(
                    SELECT (use ->> 'lotID')::int8
                    FROM idempotency CROSS JOIN LATERAL jsonb_array_elements(\(uses)) AS use
                    WHERE journal_entry_id = ANY($1) AND command IN ('spend', 'capture')))
                    AND ($2::int8 IS NULL OR purchase_id = $2)
                """, [ids, purchase])
    }

    /// What an outcome tells of the lots that were used.
    private static let uses = "coalesce(outcome #> '{spent,_0,lots}', outcome #> '{holdCaptured,_0,lots}', '[]')"

    private static func read(_ row: borrowing PostgresRow) throws -> Redemption {
        // Added up here: grouping by lot tempts the planner to read the whole index of lots.
        let returns = try row.decodeJSON(5, as: [Returned].self)
        let returned = Dictionary(grouping: returns, by: \.lotID)
        return Redemption(
            id: try row[0], act: try row.decode(2, as: Int64?.self).map(Act.capture) ?? .spend,
            user: try row[3], provider: try row.decode(1, as: String?.self).flatMap(UserID.init(rawValue:)),
            share: try row.decode(6, as: PostgresJSON?.self) == nil
                ? nil : try row.decodeJSON(6, as: ProviderShare.self),
            left: try row.decodeJSON(4, as: [LotUse].self).compactMap { use in
                let back = returned[use.lotID] ?? []
                let coins = back.reduce(use.coins) { $0 - $1.coins }
                let amount = back.reduce(use.amount) { $0 - $1.amount }
                return coins == 0 ? nil : LotUse(lotID: use.lotID, kind: use.kind, coins: coins, amount: amount)
            },
            returned: returns.reduce(0) { $0 + $1.coins })
    }

    /// What came back into a lot by one reversal.
    private struct Returned: Decodable {
        let lotID: Int64
        let coins: Int64
        let amount: Int64
    }
}
