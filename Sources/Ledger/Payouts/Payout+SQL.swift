import Foundation
import Postgres

extension Payout {
    private static let selection = """
        SELECT payout.id, cut_off, note, proposed_by, proposed_at, status, approved.decided_by, approved.decided_at,
            approved.reason, withdrawn.decided_by, withdrawn.decided_at, withdrawn.reason, paid.decided_by,
            paid.decided_at, paid.paid_at, paid.bank_reference,
            item.providers, item.amount, item.withheld
        FROM payout
        LEFT JOIN payout_decision AS approved ON approved.payout_id = payout.id AND approved.decision = 'approved'
        LEFT JOIN payout_decision AS withdrawn ON withdrawn.payout_id = payout.id AND withdrawn.decision = 'withdrawn'
        LEFT JOIN payout_decision AS paid ON paid.payout_id = payout.id AND paid.decision = 'paid'
        CROSS JOIN LATERAL (
            SELECT count(*) AS providers, coalesce(sum(amount), 0)::bigint AS amount,
                coalesce(sum(income_tax + local_tax), 0)::bigint AS withheld
            FROM payout_item WHERE payout_id = payout.id
        ) AS item
        """

    static func find(_ id: Int64) -> PostgresQuery<Payout?> {
        .first("\(selection) WHERE payout.id = $1", [id], row: decode)
    }

    /// Payouts, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(_ status: Status?, before id: Int64?, limit: Int) -> PostgresQuery<[Payout]> {
        PostgresQuery(
            """
            \(selection)
            WHERE payout.id < $1 AND ($2::text IS NULL OR status = $2) ORDER BY payout.id DESC LIMIT $3
            """,
            [id ?? Int64.max, status?.rawValue, Int64(limit + 1)], row: decode)
    }

    /// Proposes a payout; nil: the key was used before.
    static func insert(_ draft: PayoutDraft) -> PostgresQuery<Int64?> {
        .first(
            """
            INSERT INTO payout (key, proposed_by, cut_off, asked_cut_off, providers, note)
            VALUES ($1, $2, coalesce($3, clock_timestamp()), $3, $4, $5)
            ON CONFLICT (key, proposed_by) DO NOTHING RETURNING id
            """,
            [
                draft.key.text, draft.key.caller.rawValue, draft.cutOff, draft.providers?.map(\.rawValue), draft.note,
            ])
    }

    /// The payout that was proposed under a key, and whether its request was the same.
    static func proposed(as draft: PayoutDraft) -> PostgresQuery<(id: Int64, isSame: Bool)?> {
        .first(
            """
            SELECT id, asked_cut_off IS NOT DISTINCT FROM $3::timestamptz AND providers IS NOT DISTINCT FROM $4::text[] AND note IS NOT DISTINCT FROM $5::text
            FROM payout WHERE key = $1 AND proposed_by = $2
            """,
            [
                draft.key.text, draft.key.caller.rawValue, draft.cutOff, draft.providers?.map(\.rawValue), draft.note,
            ]
        ) { row in (id: try row[0], isSame: try row[1]) }
    }

    /// Inserts a decision.
    ///
    /// The payout is locked first. The foreign key locks it too, but in a mode that two decisions can have at once, and
    /// then each would wait for the other one when the database changes the payout.
    static func decide(_ id: Int64, _ decision: Status, by person: String, reason: String?) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO payout_decision (payout_id, decision, decided_by, reason)
            SELECT id, $2, $3, $4 FROM lock_payouts(ARRAY[$1::int8])
            """,
            [id, decision.rawValue, person, reason])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> Payout {
        Payout(
            id: try row[0], cutOff: try row[1], note: try row[2], proposedBy: try row[3], proposedAt: try row[4],
            status: try row[5], approval: try decision(row, 6), withdrawal: try decision(row, 9),
            payment: try payment(row), providers: try row[16], amount: try row[17], withheld: try row[18])
    }

    private static func decision(_ row: borrowing PostgresRow, _ column: Int) throws -> Decision? {
        guard let person = try row.decode(column, as: String?.self) else { return nil }
        return Decision(by: person, at: try row[column + 1], reason: try row[column + 2])
    }

    private static func payment(_ row: borrowing PostgresRow) throws -> Payment? {
        guard let person = try row.decode(12, as: String?.self) else { return nil }
        return Payment(by: person, at: try row[13], paidAt: try row[14], bankReference: try row[15])
    }
}

extension PayoutItem {
    /// A payout's items by provider.
    ///
    /// A withdrawn payout covers no captures any more; those of one that was proposed before they were kept are counted.
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(of payout: Int64, after provider: String?, limit: Int) -> PostgresQuery<[PayoutItem]> {
        PostgresQuery(
            """
            SELECT provider, amount, income_tax, local_tax, CASE WHEN status = 'withdrawn' THEN 0 ELSE coalesce(shares, (
                SELECT count(*) FROM provider_due
                WHERE provider_due.payout_id = item.payout_id AND provider_due.provider = item.provider)) END
            FROM payout_item AS item JOIN payout ON payout.id = item.payout_id
            WHERE payout_id = $1 AND provider > $2 ORDER BY provider LIMIT $3
            """,
            [payout, provider ?? "", Int64(limit + 1)]
        ) { row in try row.make(PayoutItem.init) }
    }
}

extension PayoutPart {
    /// The parts of a payout, by provider and stripe.
    static func list(of payout: Int64) -> PostgresQuery<[PayoutPart]> {
        PostgresQuery(
            """
            SELECT provider, stripe, part.amount, CASE
                WHEN row_number() OVER (PARTITION BY provider ORDER BY part.amount DESC, stripe) = 1
                THEN income_tax + local_tax ELSE 0 END
            FROM payout_part AS part
            JOIN payout_item AS item USING (payout_id, provider)
            WHERE payout_id = $1
            ORDER BY provider, stripe
            """,
            [payout]
        ) { row in try row.make(PayoutPart.init) }
    }
}

extension Payout.Status: PostgresRawRepresentable {}
