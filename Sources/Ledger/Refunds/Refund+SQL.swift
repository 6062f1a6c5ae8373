import Foundation
package import Postgres

extension Refund: PostgresReadable {
    static let columns = """
        refund.id, refund.purchase_id, refund.user_id, refund.status, refund.coins, refund.bonus_coins, refund.value,
        refund.fee, refund.currency, refund.explanation, refund.believed_balance, refund.requested_at,
        refund.decided_at, refund.refusal, refund.refusal_code, refund.cancellation_id, refund.journal_entry_id,
        refund.reversal_entry_id, refund.bonus_charged, refund.taken, refund.paid_at, refund.bank_reference,
        refund.fee_rule, refund.fee_waiver, refund.expired_coins, refund.expired_value, refund.expired_fee,
        refund.expiry_reversal_id, refund.fee_vat, refund.expired_won, refund.repaid_at, refund.repayment_reference,
        refund.tax_free
        """

    /// The number of ``columns``.
    static let columnCount = 33

    /// The refund with this id.
    static func find(_ id: Int64) -> PostgresQuery<[Refund]> {
        PostgresQuery("SELECT \(columns) FROM refund WHERE id = $1", [id])
    }

    /// All refunds of these purchases, in the order in which they were requested.
    static func of(purchases: [Int64]) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            "SELECT \(columns) FROM refund WHERE purchase_id = ANY($1) ORDER BY requested_at, id", [purchases])
    }

    /// The refunds with these ids, the pending and approved refunds of these purchases, and the pending ones of these
    /// payments.
    static func find(
        _ ids: [Int64], undecidedOf purchases: [Int64], and payments: [PaymentIdentity]
    ) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM refund WHERE id = ANY($1)
            UNION
            SELECT \(columns) FROM refund WHERE purchase_id = ANY($2) AND status IN ('pending', 'approved')
            UNION
            SELECT \(columns)
            FROM unnest($3::text[], $4::text[]) AS asked (gateway, imp_uid)
            JOIN purchase USING (gateway, imp_uid)
            JOIN refund ON refund.purchase_id = purchase.id AND refund.status = 'pending'
            """,
            [ids, purchases, payments.map(\.gateway), payments.map(\.impUID)])
    }

    /// The lots that refunds by bank transfer with these ids took coins of.
    static func lots(ofTransfers ids: [Int64]) -> PostgresQuery<[Lot]> {
        Lot.find(
            where: """
                id = ANY(ARRAY(
                    SELECT (use ->> 'lotID')::int8
                    FROM refund CROSS JOIN LATERAL jsonb_array_elements(taken) AS use
                    WHERE refund.id = ANY($1) AND status IN ('approved', 'completed')))
                """, [ids])
    }

    /// Inserts refunds in their first state: pending, or approved.
    ///
    /// The process that began a pending one has a lease: the work list returns it after ``PendingRefund/lease``, or when
    /// that process ends, if it is not decided. An approved one is no work of a service.
    ///
    /// The database then applies the decisions.
    static func insert(
        _ refunds: [NewRefund], stripes: [Stripe], leasedTo holder: Int64?
    ) -> PostgresQuery<Int> {
        let rows = refunds.map(\.refund)
        return .affected(
            """
            INSERT INTO refund (
                id, stripe, purchase_id, user_id, coins, bonus_coins, value, fee, amount, currency, explanation,
                refund_account, believed_balance, journal_entry_id, requested_at, bonus_charged, status, method,
                reversal_entry_id, taken, fee_rule, fee_waiver, expired_coins, expired_value, expired_fee,
                expiry_reversal_id, fee_vat, expired_won, reason, next_attempt_at, lease_holder)
            SELECT new.*, CASE status WHEN 'pending' THEN 'begun' ELSE status END,
                requested_at + $29 * interval '1 millisecond', CASE status WHEN 'pending' THEN $30::int8 END
            FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                $9::int8[], $10::text[], $11::text[], $12::jsonb[], $13::int8[], $14::int8[], $15::timestamptz[],
                $16::int8[], $17::text[], $18::text[], $19::int8[], $20::jsonb[], $21::text[], $22::text[],
                $23::int8[], $24::int8[], $25::int8[], $26::int8[], $27::int8[], $28::int8[])
                AS new (
                    id, stripe, purchase_id, user_id, coins, bonus_coins, value, fee, amount, currency, explanation,
                    refund_account, believed_balance, journal_entry_id, requested_at, bonus_charged, status, method,
                    reversal_entry_id, taken, fee_rule, fee_waiver, expired_coins, expired_value, expired_fee,
                    expiry_reversal_id, fee_vat, expired_won)
            """,
            [
                rows.map(\.id), stripes.map(\.number), rows.map(\.purchaseID), rows.map(\.user.rawValue),
                rows.map(\.coins), rows.map(\.bonusCoins), rows.map(\.value),
                rows.map(\.fee), rows.map(\.amount), rows.map(\.currency.code), rows.map(\.explanation),
                refunds.map { $0.account.map { PostgresJSON(encoding: $0) } }, rows.map(\.believedBalance),
                rows.map(\.journalEntryID), rows.map(\.requestedAt), rows.map(\.bonusCharged),
                refunds.map(\.firstStatus.rawValue), rows.map(\.method.rawValue),
                rows.map { $0.method == .bankTransfer ? $0.reversalEntryID : nil },
                rows.map { $0.transfer.map { PostgresJSON(encoding: $0.taken) } },
                rows.map(\.feeRule?.rawValue), rows.map(\.feeWaiver), rows.map { $0.expired?.coins ?? 0 },
                rows.map { $0.expired?.value ?? 0 }, rows.map { $0.expired?.fee ?? 0 }, rows.map(\.expiryReversalID),
                rows.map(\.feeVAT), rows.map(\.expiredWon),
                PendingRefund.lease.milliseconds, holder,
            ])
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Refund {
        try row.decode(of: "refund", read)
    }

    /// Reads the first ``columnCount`` columns.
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Refund {
        column += columnCount
        return try decode(row)
    }

    private static func read(_ row: borrowing PostgresRow) throws -> Refund {
        let refusal = try row.decode(13, as: String?.self)
        let refusalCode = try row.decode(14, as: String?.self)
        let expiredCoins = try row.decode(24, as: Int64.self)
        let isTransfer = try row.decode(19, as: PostgresJSON?.self) != nil
        return Refund(
            id: try row[0], purchaseID: try row[1], user: try row[2], status: try row[3],
            coins: try row[4], bonusCoins: try row[5], charged: try row[18], value: try row[6], fee: try row[7],
            currency: try row[8], explanation: try row[9], believedBalance: try row[10],
            requestedAt: try row[11], decidedAt: try row[12],
            refusal: refusal.map { GatewayRefusal(reason: $0, gatewayCode: refusalCode) }, cancellationID: try row[15],
            journalEntryID: try row[16], reversalEntryID: try row[17],
            transfer: isTransfer
                ? Transfer(
                    taken: try row.decodeJSON(19, as: [LotUse].self), paidAt: try row[20], bankReference: try row[21],
                    repaidAt: try row[30], repaymentReference: try row[31])
                : nil,
            feeRule: try row.decode(22, as: String?.self).flatMap(RefundFeeRule.init(rawValue:)),
            feeWaiver: try row[23], feeVAT: try row[28],
            expired: expiredCoins > 0
                ? ExpiredPart(coins: expiredCoins, value: try row[25], fee: try row[26]) : nil,
            expiryReversalID: try row[27], expiredWon: try row[29], taxFree: try row[32])
    }
}

extension Refund.Status: PostgresRawRepresentable {}
