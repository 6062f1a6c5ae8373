import Postgres

/// What a dispute took that a person booked as lost: the claw-back of the dispute's last decision.
struct DisputeLoss: Sendable, Equatable {
    /// What the claw-back took of one lot, beside coins that the user owed then.
    struct Taken: Sendable, Equatable, Codable {
        let kind: LotKind
        /// Coins of the wallet, with those that were charged for used bonus coins.
        let coins: Int64
        /// Coins that had expired.
        let expired: Int64
        /// The won that were deferred.
        let deferred: Int64
        /// The won that had been recognised for expired coins.
        let breakage: Int64
    }

    let disputeID: Int64
    /// The entry of the claw-back.
    let journalEntryID: Int64
    /// What the claw-back reversed of the purchase.
    let amount: Int64
    let coins: Int64
    let bonusCoins: Int64
    let chargedCoins: Int64
    /// The lots that the claw-back changed.
    let lots: [Taken]

    /// What it took of the lot of this kind.
    func taken(_ kind: LotKind) -> Taken {
        lots.first { $0.kind == kind } ?? Taken(kind: kind, coins: 0, expired: 0, deferred: 0, breakage: 0)
    }

    /// Coins of this kind that were used or held, and became a debt.
    func owed(_ kind: LotKind) -> Int64 {
        let all = kind == .paid ? coins + chargedCoins : bonusCoins - chargedCoins
        return all - taken(kind).coins - taken(kind).expired
    }

    /// The won that were neither deferred nor breakage: the claw-back took them out of revenue.
    var revenue: Int64 { amount - taken(.paid).deferred - taken(.paid).breakage }
}

extension DisputeLoss.Taken {
    /// What a claw-back took of a lot.
    init(_ before: Lot, _ after: Lot) {
        self.init(
            kind: before.kind, coins: before.remaining - after.remaining, expired: before.expired - after.expired,
            deferred: before.deferred - after.deferred, breakage: before.breakage - after.breakage)
    }
}

extension DisputeLoss {
    /// What the lost disputes of these purchases took, if a person booked them.
    ///
    /// The lots' movements tell what a claw-back took, so it is known of those before the act existed, too.
    ///
    /// - Parameter lots: the lots of the purchases.
    static func of(_ purchases: [Int64], lots: [Int64]) -> PostgresQuery<[DisputeLoss]> {
        PostgresQuery(
            """
            SELECT dispute.id, taken.journal_entry_id, taken.amount, taken.coins, taken.bonus_coins, taken.charged_coins, (
                SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'kind', lot.kind, 'coins', coalesce(before.remaining, lot.coins) - moved.remaining,
                    'expired', coalesce(before.expired, 0) - coalesce(moved.expired, 0),
                    'deferred', coalesce(before.deferred, lot.amount) - moved.deferred,
                    'breakage', coalesce(before.breakage, 0) - coalesce(moved.breakage, 0))), '[]')
                FROM lot
                CROSS JOIN LATERAL entry_movements(lot.id, taken.journal_entry_id, NULL) AS moved
                LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
                WHERE lot.id = ANY($2) AND lot.purchase_id = dispute.purchase_id)
            FROM dispute
            CROSS JOIN LATERAL (
                SELECT * FROM dispute_decision WHERE dispute_id = dispute.id ORDER BY seq DESC LIMIT 1
            ) AS decision
            JOIN purchase_reversal AS taken ON taken.journal_entry_id = decision.journal_entry_id
            WHERE dispute.purchase_id = ANY($1) AND dispute.status = 'lost' AND decision.decided_by IS NOT NULL
            """,
            [purchases, lots]
        ) { row in
            DisputeLoss(
                disputeID: try row[0], journalEntryID: try row[1], amount: try row[2], coins: try row[3],
                bonusCoins: try row[4], chargedCoins: try row[5], lots: try row.decodeJSON(6, as: [Taken].self))
        }
    }
}
