import Foundation
import Postgres

extension Refund {
    static let columns = """
        refund.id, refund.purchase_id, refund.user_id, refund.status, refund.coins, refund.bonus_coins, refund.value,
        refund.fee, refund.currency, refund.explanation, refund.believed_balance, refund.requested_at,
        refund.decided_at, refund.refusal, refund.refusal_code, refund.cancellation_id, refund.journal_entry_id,
        refund.reversal_entry_id, refund.bonus_charged
        """

    /// The refund with this id.
    static func find(_ id: Int64) -> PostgresQuery<[Refund]> {
        PostgresQuery("SELECT \(columns) FROM refund WHERE id = $1", [id], row: decode)
    }

    /// All refunds of these purchases, in the order in which they were requested.
    static func of(purchases: [Int64]) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            "SELECT \(columns) FROM refund WHERE purchase_id = ANY($1) ORDER BY requested_at, id", [purchases],
            row: decode)
    }

    /// The refunds with these ids, and those that are pending of these purchases and payments.
    static func find(
        _ ids: [Int64], pendingOf purchases: [Int64], and payments: [PaymentIdentity]
    ) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM refund WHERE id = ANY($1)
            UNION
            SELECT \(columns) FROM refund WHERE purchase_id = ANY($2) AND status = 'pending'
            UNION
            SELECT \(columns)
            FROM unnest($3::text[], $4::text[]) AS asked (gateway, imp_uid)
            JOIN purchase USING (gateway, imp_uid)
            JOIN refund ON refund.purchase_id = purchase.id AND refund.status = 'pending'
            """,
            [ids, purchases, payments.map(\.gateway), payments.map(\.impUID)], row: decode)
    }

    /// Inserts refunds, each in its stripe, to be taken up by the work list after a while should whoever began them not
    /// end them.
    static func insert(_ refunds: [NewRefund], stripes: [Stripe]) -> PostgresQuery<Int> {
        let rows = refunds.map(\.refund)
        return .affected(
            """
            INSERT INTO refund (
                id, stripe, purchase_id, user_id, status, coins, bonus_coins, value, fee, amount, currency, explanation,
                refund_account, believed_balance, journal_entry_id, requested_at, bonus_charged, reason,
                next_attempt_at)
            SELECT new.*, 'begun', requested_at + $18 * interval '1 millisecond'
            FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::text[], $5::text[], $6::int8[], $7::int8[], $8::int8[],
                $9::int8[], $10::int8[], $11::text[], $12::text[], $13::jsonb[], $14::int8[], $15::int8[],
                $16::timestamptz[], $17::int8[])
                AS new (
                    id, stripe, purchase_id, user_id, status, coins, bonus_coins, value, fee, amount, currency,
                    explanation, refund_account, believed_balance, journal_entry_id, requested_at, bonus_charged)
            """,
            [
                rows.map(\.id), stripes.map(\.number), rows.map(\.purchaseID), rows.map(\.user.rawValue),
                rows.map(\.status.rawValue), rows.map(\.coins), rows.map(\.bonusCoins), rows.map(\.value),
                rows.map(\.fee), rows.map(\.amount), rows.map(\.currency.code), rows.map(\.explanation),
                refunds.map { $0.account.map { PostgresJSON(encoding: $0) } }, rows.map(\.believedBalance),
                rows.map(\.journalEntryID), rows.map(\.requestedAt), rows.map(\.bonusCharged),
                PendingRefund.lease.milliseconds,
            ])
    }

    /// Writes what became of refunds, and erases where their money was to go.
    static func update(_ refunds: [Refund]) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE refund
            SET status = new.status, reason = new.status, refund_account = NULL, decided_at = new.decided_at,
                refusal = new.refusal, refusal_code = new.refusal_code, cancellation_id = new.cancellation_id,
                reversal_entry_id = new.reversal_entry_id
            FROM unnest(
                $1::int8[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::int8[])
                AS new (id, status, decided_at, refusal, refusal_code, cancellation_id, reversal_entry_id)
            WHERE refund.id = new.id
            """,
            [
                refunds.map(\.id), refunds.map(\.status.rawValue), refunds.map(\.decidedAt),
                refunds.map(\.refusal?.reason), refunds.map(\.refusal?.gatewayCode), refunds.map(\.cancellationID),
                refunds.map(\.reversalEntryID),
            ])
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Refund {
        let refusal = try row.decode(13, as: String?.self)
        let refusalCode = try row.decode(14, as: String?.self)
        return Refund(
            id: try row[0], purchaseID: try row[1], user: try row.decode(2), status: try row.decode(3),
            coins: try row[4], bonusCoins: try row[5], charged: try row[18], value: try row[6], fee: try row[7],
            currency: Currency(code: try row[8]), explanation: try row[9], believedBalance: try row[10],
            requestedAt: try row[11], decidedAt: try row[12],
            refusal: refusal.map { Refusal(reason: $0, gatewayCode: refusalCode) }, cancellationID: try row[15],
            journalEntryID: try row[16], reversalEntryID: try row[17])
    }
}
