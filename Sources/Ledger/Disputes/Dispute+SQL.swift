import Foundation
import Postgres

extension Dispute {
    /// `OFFSET 0` keeps the decisions and wins of other disputes from being read (decision 0002).
    static let columns = """
        dispute.id, dispute.purchase_id, dispute.user_id, dispute.status, dispute.gateway_id, dispute.opened_at,
        dispute.reason, dispute.recorded_at, dispute.decided_at, dispute.status = 'lost' AND EXISTS (
            SELECT FROM dispute_decision AS decision
            WHERE decision.dispute_id = dispute.id AND decision.outcome = 'lost' AND decision.decided_by IS NOT NULL
            OFFSET 0),
        EXISTS (SELECT FROM dispute_win WHERE dispute_win.dispute_id = dispute.id OFFSET 0) OR EXISTS (
            SELECT FROM dispute_decision AS decision
            WHERE decision.dispute_id = dispute.id AND decision.outcome = 'won' AND decision.decided_by IS NULL
            OFFSET 0)
        """

    /// The disputes of these purchases, of those of these refunds, and of these payments, with the purchase's frozen
    /// coins.
    ///
    /// By key in each plan (decision 0002): only the refunds' primary key has their order, and `OFFSET 0` keeps the others.
    static func of(
        purchases: [Int64], refunds: [Int64], payments: [PaymentIdentity]
    ) -> PostgresQuery<[(dispute: Dispute, frozen: FrozenCoins)]> {
        PostgresQuery(
            """
            SELECT dispute.*, coalesce(frozen.coins, 0)::bigint, coalesce(frozen.bonus_coins, 0)::bigint
            FROM (
                SELECT \(columns) FROM dispute
                WHERE purchase_id = ANY(
                    $1::int8[] || ARRAY(\(Refund.purchases("$2"))) || ARRAY(
                        SELECT purchase.id
                        FROM unnest($3::text[], $4::text[]) AS asked (gateway, imp_uid)
                        CROSS JOIN LATERAL (
                            SELECT id FROM purchase WHERE imp_uid = asked.imp_uid AND gateway = asked.gateway OFFSET 0
                        ) AS purchase))
                OFFSET 0
            ) AS dispute
            CROSS JOIN LATERAL (
                SELECT sum(CASE act WHEN 'hold' THEN coins ELSE -coins END) AS coins,
                    sum(CASE act WHEN 'hold' THEN bonus_coins ELSE -bonus_coins END) AS bonus_coins
                FROM coin_freeze WHERE coin_freeze.purchase_id = dispute.purchase_id
            ) AS frozen
            ORDER BY dispute.id
            """,
            [purchases, refunds, payments.map(\.gateway), payments.map(\.paymentID)]
        ) { row in (try decode(row), FrozenCoins(paid: try row[11], bonus: try row[12])) }
    }

    /// Inserts disputes in their first state: open.
    static func insert(_ disputes: [Dispute], stripes: [Stripe]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO dispute (id, stripe, purchase_id, user_id, gateway_id, opened_at, reason, recorded_at)
            SELECT * FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::text[], $5::text[], $6::timestamptz[], $7::text[],
                $8::timestamptz[])
            """,
            [
                disputes.map(\.id), stripes.map(\.number), disputes.map(\.purchaseID), disputes.map(\.user.rawValue),
                disputes.map(\.gatewayID), disputes.map(\.openedAt), disputes.map(\.reason),
                disputes.map(\.recordedAt),
            ])
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Dispute {
        try row.decode(of: "dispute") { row in
            Dispute(
                id: try row[0], purchaseID: try row[1], user: try row.decode(2), status: try row.decode(3),
                gatewayID: try row[4], openedAt: try row[5], reason: try row[6], recordedAt: try row[7],
                decidedAt: try row[8], isBookedAsLost: try row.decode(9, as: Bool.self) ? true : nil,
                isResolvedAtGateway: try row.decode(10, as: Bool.self) ? true : nil)
        }
    }
}

extension DisputeDecision {
    static func insert(_ decisions: [DisputeDecision]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO dispute_decision (
                dispute_id, outcome, decided_at, decided_by, reason, amount, journal_entry_id, recorded_at)
            SELECT * FROM unnest(
                $1::int8[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::int8[], $7::int8[],
                $8::timestamptz[])
            """,
            [
                decisions.map(\.dispute.id), decisions.map(\.dispute.status.rawValue),
                decisions.map(\.dispute.decidedAt), decisions.map { $0.caller?.by },
                decisions.map { $0.caller?.reason },
                decisions.map { $0.moved?.amount ?? 0 }, decisions.map { $0.moved?.journalEntryID },
                decisions.map(\.recordedAt),
            ])
    }
}

extension DisputeWin {
    static func insert(_ wins: [DisputeWin]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO dispute_win (dispute_id, resolved_at, recorded_at)
            SELECT * FROM unnest($1::int8[], $2::timestamptz[], $3::timestamptz[])
            """,
            [wins.map(\.disputeID), wins.map(\.resolvedAt), wins.map(\.recordedAt)])
    }
}

extension CoinFreeze {
    static func insert(_ freezes: [CoinFreeze]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO coin_freeze (journal_entry_id, purchase_id, act, coins, bonus_coins)
            SELECT * FROM unnest($1::int8[], $2::int8[], $3::text[], $4::int8[], $5::int8[])
            """,
            [
                freezes.map(\.journalEntryID), freezes.map(\.purchaseID), freezes.map(\.act.rawValue),
                freezes.map(\.coins), freezes.map(\.bonusCoins),
            ])
    }
}
