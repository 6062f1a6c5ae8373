import Postgres

/// What a claw-back took that can come back: of a dispute that a person booked as lost, by its last decision, or of a refund
/// of a store.
struct ClawBackLoss: Sendable, Equatable {
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

    /// The entry of the claw-back.
    let journalEntryID: Int64
    /// What the claw-back reversed of the purchase.
    let amount: Int64
    /// The same in the payment's currency; nil: it was paid in won.
    let foreignAmount: Int64?
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

extension ClawBackLoss.Taken {
    /// What a claw-back took of a lot.
    init(_ before: Lot, _ after: Lot) {
        self.init(
            kind: before.kind, coins: before.remaining - after.remaining, expired: before.expired - after.expired,
            deferred: before.deferred - after.deferred, breakage: before.breakage - after.breakage)
    }
}

/// A purchase, and its lots.
struct PurchaseLots: Sendable {
    let purchase: Int64
    let lots: [Int64]

    /// Parameters for ``asked``.
    fileprivate static func parameters(_ all: [PurchaseLots]) -> [any PostgresEncodable] {
        [all.map(\.purchase), all.map { "{\($0.lots.map(String.init).joined(separator: ","))}" }]
    }

    /// A row of each purchase, whose lots are looked up for it alone.
    fileprivate static let asked = "unnest($1::int8[], $2::text[]) AS asked (id, lots)"
}

extension ClawBackLoss {
    /// What the claw-back took, with alias `taken`, of the lots of the purchase with alias `asked`.
    ///
    /// The lots' movements tell it, so it is known of claw-backs from before they could be reversed, too.
    private static let parts = """
        SELECT coalesce(jsonb_agg(jsonb_build_object(
            'kind', lot.kind, 'coins', coalesce(before.remaining, lot.coins) - moved.remaining,
            'expired', coalesce(before.expired, 0) - coalesce(moved.expired, 0),
            'deferred', coalesce(before.deferred, lot.amount) - moved.deferred,
            'breakage', coalesce(before.breakage, 0) - coalesce(moved.breakage, 0))), '[]')
        FROM unnest(asked.lots::int8[]) AS own (lot_id)
        CROSS JOIN LATERAL (
            SELECT id, kind, coins, amount FROM lot WHERE lot.id = own.lot_id AND lot.purchase_id = asked.id OFFSET 0
        ) AS lot
        CROSS JOIN LATERAL entry_movements(lot.id, taken.journal_entry_id, NULL) AS moved
        LEFT JOIN LATERAL (
            SELECT remaining, expired, deferred, breakage FROM lot_movement
            WHERE lot_id = moved.lot_id AND seq = moved.seq - 1 OFFSET 0
        ) AS before ON true
        """

    /// What ``decode(_:)`` reads after the first column, with the parts.
    private static let columns =
        """
        taken.journal_entry_id, taken.amount, taken.coins, taken.bonus_coins, taken.charged_coins, taken.foreign_amount
        """

    private static func decode(_ row: borrowing PostgresRow) throws -> ClawBackLoss {
        ClawBackLoss(
            journalEntryID: try row[1], amount: try row[2], foreignAmount: try row[6], coins: try row[3],
            bonusCoins: try row[4], chargedCoins: try row[5], lots: try row.decodeJSON(7, as: [Taken].self))
    }

    /// What the lost disputes of these purchases took, if a person booked them.
    static func of(_ purchases: [PurchaseLots]) -> PostgresQuery<[(disputeID: Int64, loss: ClawBackLoss)]> {
        PostgresQuery(
            """
            SELECT dispute.id, \(columns), (\(parts))
            FROM \(PurchaseLots.asked)
            CROSS JOIN LATERAL (
                SELECT id FROM dispute WHERE purchase_id = asked.id AND status = 'lost' OFFSET 0
            ) AS dispute
            CROSS JOIN LATERAL (
                SELECT * FROM dispute_decision WHERE dispute_id = dispute.id ORDER BY seq DESC LIMIT 1
            ) AS decision
            CROSS JOIN LATERAL (
                SELECT \(columns) FROM purchase_reversal AS taken WHERE journal_entry_id = decision.journal_entry_id OFFSET 0
            ) AS taken
            WHERE decision.decided_by IS NOT NULL
            """,
            PurchaseLots.parameters(purchases)
        ) { row in (try row[0], try decode(row)) }
    }

    /// What the last claw-back of each of these purchases took that was not reversed, if no person booked it.
    static func last(of purchases: [PurchaseLots]) -> PostgresQuery<[(purchaseID: Int64, loss: ClawBackLoss)]> {
        PostgresQuery(
            """
            SELECT asked.id, \(columns), (\(parts))
            FROM \(PurchaseLots.asked)
            CROSS JOIN LATERAL (
                SELECT journal_entry_id FROM purchase WHERE id = ANY(ARRAY[asked.id]) ORDER BY id
            ) AS purchase
            CROSS JOIN LATERAL (\(lastEntry(reversing: "purchase.journal_entry_id"))) AS entry
            CROSS JOIN LATERAL (
                SELECT \(columns) FROM purchase_reversal AS taken WHERE journal_entry_id = entry.id OFFSET 0
            ) AS taken
            """,
            PurchaseLots.parameters(purchases)
        ) { row in (try row[0], try decode(row)) }
    }

    /// The last claw-back of the purchase with this entry that was not reversed, if no person booked it: its entry, and when
    /// that was recorded.
    static func lastEntry(reversing purchase: StaticString) -> String {
        """
        SELECT id, recorded_at
        FROM (
            SELECT id, recorded_at FROM journal_entry
            WHERE reverses = \(purchase) AND kind IN ('refund', 'claw_back') AND kind = 'claw_back' OFFSET 0
        ) AS claw_back
        WHERE NOT EXISTS (SELECT FROM claw_back_reversal WHERE claw_back_id = claw_back.id OFFSET 0)
            AND NOT EXISTS (SELECT FROM dispute_decision WHERE journal_entry_id = claw_back.id OFFSET 0)
        ORDER BY recorded_at DESC, id DESC
        LIMIT 1
        """
    }
}
