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
        refund.tax_free, refund.foreign_amount, refund.foreign_fee, refund.foreign_currency, refund.foreign_balance
        """

    /// The number of ``columns``.
    static let columnCount = 37

    /// The refund with this id.
    static func find(_ id: Int64) -> PostgresQuery<[Refund]> {
        PostgresQuery("SELECT \(columns) FROM refund WHERE id = $1", [id])
    }

    /// SQL for the purchases of the refunds with the ids of a parameter.
    ///
    /// The index by purchase has the ids, too, so that a plan of an empty or small table read all of it. It lacks the status,
    /// which each refund has, and the order (decision 0002).
    static func purchases(_ ids: StaticString) -> String {
        "SELECT purchase_id FROM refund WHERE id = ANY(\(ids)) AND status IS NOT NULL ORDER BY id"
    }

    /// All refunds of these purchases, in the order in which they were requested.
    static func of(purchases: [Int64]) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            "SELECT \(columns) FROM refund WHERE purchase_id = ANY($1) ORDER BY requested_at, id", [purchases])
    }

    /// Through `refund_open_of_user`, which has only what is open, and is for this statement alone: thus `IS TRUE`.
    static func open(of user: UserID, limit: Int) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM refund WHERE user_id = $1 AND (status IN ('pending', 'approved')) IS TRUE
            ORDER BY id DESC LIMIT $2
            """, [user.rawValue, Int64(limit)])
    }

    /// The refunds with these ids, the pending and approved refunds of these purchases, all of those that were paid in a
    /// foreign currency, and the pending ones of these payments.
    ///
    /// `OFFSET 0` keeps the look-ups by key in a plan that PostgreSQL made while the tables were new (decision 0002): the
    /// index of all pending refunds looked cheaper then. Only the primary key has the order of the ids.
    static func find(
        _ ids: [Int64], undecidedOf purchases: [Int64], and payments: [PaymentIdentity]
    ) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            """
            (SELECT \(columns) FROM refund WHERE id = ANY($1) ORDER BY id)
            UNION
            SELECT \(columns) FROM refund
            WHERE purchase_id = ANY($2) AND (status IN ('pending', 'approved') OR foreign_amount IS NOT NULL)
            UNION
            SELECT \(columns)
            FROM unnest($3::text[], $4::text[]) AS asked (gateway, imp_uid)
            CROSS JOIN LATERAL (
                SELECT id FROM purchase WHERE gateway = asked.gateway AND imp_uid = asked.imp_uid OFFSET 0
            ) AS purchase
            CROSS JOIN LATERAL (
                SELECT * FROM refund WHERE purchase_id = purchase.id OFFSET 0
            ) AS refund
            WHERE refund.status = 'pending'
            """,
            [ids, purchases, payments.map(\.gateway), payments.map(\.paymentID)])
    }

    /// The lots that refunds by bank transfer with these ids took coins of.
    static func lots(ofTransfers ids: [Int64]) -> PostgresQuery<[Lot]> {
        Lot.find(
            where: """
                id = ANY(ARRAY(
                    SELECT (use ->> 'lotID')::int8
                    FROM (SELECT taken, status FROM refund WHERE refund.id = ANY($1) ORDER BY refund.id) AS refund
                    CROSS JOIN LATERAL jsonb_array_elements(taken) AS use
                    WHERE status IN ('approved', 'completed')))
                """, [ids])
    }

    /// Inserts refunds in their first state: pending, or approved.
    ///
    /// The process that began a pending one has a lease: the work list returns it after ``PendingRefund/lease``, or when
    /// that process ends, if it is not decided. An approved one is no work of a service.
    ///
    /// The database then applies the decisions.
    static let insert = BulkInsert<(new: NewRefund, stripe: Stripe)>(
        into: "refund",
        [
            .init("id", \.new.refund.id), .init("stripe", \.stripe), .init("purchase_id", \.new.refund.purchaseID),
            .init("user_id", \.new.refund.user), .init("coins", \.new.refund.coins),
            .init("bonus_coins", \.new.refund.bonusCoins), .init("value", \.new.refund.value),
            .init("fee", \.new.refund.fee), .init("amount", \.new.refund.amount),
            .init("currency", \.new.refund.currency), .init("explanation", \.new.refund.explanation),
            .init("refund_account", \.new.account),
            .init("believed_balance", \.new.refund.believedBalance),
            .init("journal_entry_id", \.new.refund.journalEntryID), .init("requested_at", \.new.refund.requestedAt),
            .init("bonus_charged", \.new.refund.bonusCharged), .init("status", \.new.firstStatus),
            .init("method", \.new.refund.method.rawValue),
            .init("reversal_entry_id") { $0.new.refund.method == .bankTransfer ? $0.new.refund.reversalEntryID : nil },
            .init("taken") { $0.new.refund.transfer.map { PostgresJSON(encoding: $0.taken) } },
            .init("fee_rule", \.new.refund.feeRule?.rawValue), .init("fee_waiver", \.new.refund.feeWaiver),
            .init("expired_coins") { $0.new.refund.expired?.coins ?? 0 },
            .init("expired_value") { $0.new.refund.expired?.value ?? 0 },
            .init("expired_fee") { $0.new.refund.expired?.fee ?? 0 },
            .init("expiry_reversal_id", \.new.refund.expiryReversalID), .init("fee_vat", \.new.refund.feeVAT),
            .init("expired_won", \.new.refund.expiredWon),
            .init("foreign_amount", \.new.refund.foreign?.amount), .init("foreign_fee", \.new.refund.foreign?.fee),
            .init("foreign_currency", \.new.refund.foreign?.currency),
            .init("foreign_balance", \.new.refund.foreign?.balance),
        ],
        and: [
            "reason": "CASE status WHEN 'pending' THEN 'begun' ELSE status END",
            "next_attempt_at": "requested_at + $33 * interval '1 millisecond'",
            "lease_holder": "CASE status WHEN 'pending' THEN $34::int8 END",
        ])

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
            expiryReversalID: try row[27], expiredWon: try row[29], taxFree: try row[32], foreign: try foreign(row))
    }

    private static func foreign(_ row: borrowing PostgresRow) throws -> ForeignRefund? {
        guard let amount = try row.decode(33, as: Int64?.self) else { return nil }
        return ForeignRefund(amount: amount, fee: try row[34], currency: try row[35], balance: try row[36])
    }
}

extension Refund.Status: PostgresRawRepresentable {}
