extension Doctor.Check {
    /// Refunds agree with their entries.
    static let refunds: [Doctor.Check] = [
        Doctor.Check(
            "refund_misfits_purchase", proves: "each refund's purchase exists and belongs to the refund's user",
            sql: """
                SELECT 'refund:' || refund.id AS subject, 'does not fit purchase ' || refund.purchase_id AS detail
                FROM refund
                LEFT JOIN purchase ON purchase.id = refund.purchase_id
                WHERE purchase.id IS NULL OR purchase.user_id <> refund.user_id OR purchase.stripe <> refund.stripe
                """),
        Doctor.Check(
            "refund_differs_from_entries", proves: "each refund's entries posted what it held, refunded and kept",
            sql: """
                SELECT 'refund:' || refund.id AS subject,
                    refund.status || ', ' || refund.coins + refund.bonus_coins || ' coins (' || refund.bonus_charged || ' charged) for ' || refund.amount
                        || ' and a fee of ' || refund.fee || '; its entries hold ' || coalesce(posted.held, 0)
                        || ', release ' || coalesce(posted.released, 0) || ', pay ' || coalesce(posted.amount, 0)
                        || ' and keep ' || coalesce(posted.fee, 0) AS detail
                FROM refund
                LEFT JOIN purchase ON purchase.id = refund.purchase_id
                LEFT JOIN (
                    SELECT entry.reference,
                        min(entry.id) FILTER (WHERE entry.kind = 'refund_hold') AS hold_id,
                        min(entry.id) FILTER (WHERE entry.kind = 'refund') AS reversal_id,
                        min(entry.reverses) FILTER (WHERE entry.kind = 'refund') AS reversed_id,
                        sum(amount) FILTER (WHERE entry.kind = 'refund_hold' AND code LIKE 'held:%') AS held,
                        sum(amount) FILTER (WHERE entry.kind = 'refund_release' AND code LIKE 'held:%') AS released,
                        sum(amount) FILTER (WHERE entry.kind = 'refund' AND code LIKE 'held:%') AS taken,
                        sum(amount) FILTER (
                            WHERE entry.kind = 'refund' AND side = 'C' AND code LIKE '\(receivable)/%') AS amount,
                        sum(amount) FILTER (
                            WHERE entry.kind = 'refund' AND side = 'C' AND code LIKE '\(fees)/%') AS fee,
                        sum(amount) FILTER (
                            WHERE entry.kind = 'refund' AND side = 'C' AND code LIKE '\(issued)/%') AS issued
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id
                    WHERE entry.kind IN ('refund_hold', 'refund_release', 'refund')
                    GROUP BY entry.reference
                ) AS posted ON posted.reference = 'refund:' || refund.id
                WHERE posted.hold_id IS DISTINCT FROM refund.journal_entry_id
                    OR coalesce(posted.held, 0) <> refund.coins + refund.bonus_coins
                    -- A refund that was refused and then carried out was released and taken from the wallet.
                    OR coalesce(posted.released, 0) + coalesce(posted.taken, 0)
                        <> CASE refund.status WHEN 'pending' THEN 0 ELSE refund.coins + refund.bonus_coins END
                    OR refund.status = 'refused' AND posted.taken IS NOT NULL
                    OR posted.reversal_id IS DISTINCT FROM refund.reversal_entry_id
                    OR refund.status = 'completed' AND posted.reversed_id IS DISTINCT FROM purchase.journal_entry_id
                    OR coalesce(posted.amount, 0) <> CASE refund.status WHEN 'completed' THEN refund.amount ELSE 0 END
                    OR coalesce(posted.fee, 0) <> CASE refund.status WHEN 'completed' THEN refund.fee ELSE 0 END
                    OR coalesce(posted.issued, 0)
                        <> CASE refund.status WHEN 'completed' THEN refund.coins - refund.bonus_charged ELSE 0 END
                """),
    ]

    private static let issued = SystemAccount.coinsIssued.rawValue
    private static let fees = SystemAccount.refundFees.rawValue
}
