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
            "refund_tax_free_exceeds_payment",
            proves: "the tax-free and taxable parts of a purchase's refunds are within those of its payment",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    'refunds of ' || told.amount || ' with ' || told.tax_free || ' tax-free, of a payment of '
                        || purchase.amount || ' with ' || purchase.tax_free AS detail
                FROM (
                    SELECT purchase_id, sum(amount) AS amount, sum(coalesce(tax_free, 0)) AS tax_free
                    FROM refund
                    WHERE method = 'gateway' AND status = 'completed'
                    GROUP BY purchase_id
                    -- Before parts were sent, whole refunds were made without one.
                    HAVING bool_or(tax_free IS NOT NULL)
                ) AS told
                JOIN purchase ON purchase.id = told.purchase_id
                WHERE told.tax_free > purchase.tax_free
                    OR told.amount - told.tax_free > purchase.amount - purchase.tax_free
                """),
        Doctor.Check(
            "refund_differs_from_entries",
            proves: "the entries of each refund by the gateway posted what it held, refunded and kept",
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
                            WHERE entry.kind = 'refund' AND side = 'C' AND \(isReceivable)) AS amount,
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
                WHERE refund.method = 'gateway' AND (posted.hold_id IS DISTINCT FROM refund.journal_entry_id
                    OR coalesce(posted.held, 0) <> refund.coins + refund.bonus_coins
                    -- A refund that was refused and then carried out was released and taken from the wallet.
                    OR coalesce(posted.released, 0) + coalesce(posted.taken, 0)
                        <> CASE refund.status WHEN 'pending' THEN 0 ELSE refund.coins + refund.bonus_coins END
                    OR refund.status = 'refused' AND posted.taken IS NOT NULL
                    OR posted.reversal_id IS DISTINCT FROM refund.reversal_entry_id
                    OR refund.status = 'completed' AND posted.reversed_id IS DISTINCT FROM purchase.journal_entry_id
                    OR coalesce(posted.amount, 0) <> CASE refund.status WHEN 'completed' THEN refund.amount ELSE 0 END
                    OR coalesce(posted.fee, 0) <> CASE refund.status
                        WHEN 'completed' THEN refund.fee - coalesce(refund.fee_vat, 0) ELSE 0 END
                    OR coalesce(posted.issued, 0)
                        <> CASE refund.status WHEN 'completed' THEN refund.coins - refund.bonus_charged ELSE 0 END)
                """),
        Doctor.Check(
            "bank_refund_differs_from_entries",
            proves: "the entries of each refund by bank transfer posted what it took, owed, paid, kept and gave back",
            sql: """
                SELECT 'refund:' || refund.id AS subject,
                    refund.status || ', ' || refund.coins + refund.bonus_coins || ' coins for ' || refund.amount
                        || ' and a fee of ' || refund.fee || '; its entries take ' || coalesce(posted.taken, 0)
                        || ', owe ' || coalesce(posted.owed, 0) || ', keep ' || coalesce(posted.fee, 0) || ', pay '
                        || coalesce(posted.paid, 0) || ' and give back ' || coalesce(posted.back, 0) AS detail
                FROM refund
                LEFT JOIN purchase ON purchase.id = refund.purchase_id
                LEFT JOIN (
                    SELECT entry.reference, min(entry.id) FILTER (WHERE entry.kind = 'refund') AS taking_id,
                        min(entry.reverses) FILTER (WHERE entry.kind = 'refund') AS reversed_id,
                        min(entry.reverses) FILTER (WHERE entry.kind = 'refund_reversal') AS taken_back_id,
                        sum(amount) FILTER (WHERE entry.kind = 'refund' AND code LIKE 'wallet:%') AS taken,
                        sum(amount) FILTER (WHERE entry.kind = 'refund' AND code LIKE '\(payable)/%') AS owed,
                        sum(amount) FILTER (WHERE entry.kind = 'refund' AND code LIKE '\(fees)/%') AS fee,
                        sum(amount) FILTER (WHERE entry.kind = 'refund_payment' AND code LIKE '\(payable)/%') AS settled,
                        sum(amount) FILTER (
                            WHERE entry.kind = 'refund_payment' AND code LIKE '\(bank)/%' AND side = 'C') AS paid,
                        sum(amount) FILTER (WHERE entry.kind = 'refund_reversal' AND code LIKE 'wallet:%') AS back,
                        sum(amount) FILTER (
                            WHERE entry.kind = 'refund_reversal' AND code LIKE '\(payable)/%') AS not_owed,
                        sum(amount) FILTER (
                            WHERE entry.kind = 'refund_reversal' AND code LIKE '\(bank)/%' AND side = 'D') AS repaid,
                        sum(amount) FILTER (WHERE entry.kind = 'refund_reversal' AND code LIKE '\(fees)/%') AS no_fee
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id
                    WHERE entry.kind IN ('refund', 'refund_payment', 'refund_reversal')
                    GROUP BY entry.reference
                ) AS posted ON posted.reference = 'refund:' || refund.id
                CROSS JOIN LATERAL (
                    SELECT refund.fee - coalesce(refund.fee_vat, 0) AS fee,
                        CASE WHEN refund.paid_at IS NULL THEN 0 ELSE refund.amount END AS paid,
                        CASE WHEN refund.repaid_at IS NULL THEN 0 ELSE refund.amount END AS repaid,
                        CASE refund.status WHEN 'reversed' THEN 1 ELSE 0 END AS reversed
                ) AS due
                WHERE refund.method = 'bank_transfer' AND (
                    posted.taking_id IS DISTINCT FROM refund.journal_entry_id
                    OR posted.taking_id IS DISTINCT FROM refund.reversal_entry_id
                    OR posted.reversed_id IS DISTINCT FROM purchase.journal_entry_id
                    OR posted.taken_back_id IS DISTINCT FROM
                        CASE refund.status WHEN 'reversed' THEN refund.reversal_entry_id END
                    OR coalesce(posted.taken, 0) <> refund.coins + refund.bonus_coins
                    OR coalesce(posted.owed, 0) <> refund.amount OR coalesce(posted.fee, 0) <> due.fee
                    OR coalesce(posted.settled, 0) <> due.paid OR coalesce(posted.paid, 0) <> due.paid
                    OR coalesce(posted.back, 0) <> due.reversed * (refund.coins + refund.bonus_coins)
                    OR coalesce(posted.not_owed, 0) <> due.reversed * refund.amount - due.repaid
                    OR coalesce(posted.repaid, 0) <> due.repaid
                    OR refund.status = 'completed' AND refund.paid_at IS NULL
                    OR coalesce(posted.no_fee, 0) <> due.reversed * due.fee)
                """),
        Doctor.Check(
            "expired_refund_differs_from_entry",
            proves: "each refund of expired coins has an entry that took them back, with what was recognised for them",
            sql: """
                SELECT coalesce('refund:' || refund.id, 'entry:' || posted.id) AS subject,
                    coalesce(refund.expired_coins, 0) || ' expired coins for ' || coalesce(refund.expired_value, 0)
                        || ' and a fee of ' || coalesce(refund.expired_fee, 0) || '; its entry takes back '
                        || coalesce(posted.coins, 0) || ' for ' || coalesce(posted.won, 0) AS detail
                FROM (SELECT * FROM refund WHERE expired_coins > 0) AS refund
                FULL JOIN (
                    SELECT entry.id, entry.reference,
                        sum(amount) FILTER (WHERE code LIKE '\(expired)/%' AND side = 'D') AS coins,
                        coalesce(sum(amount) FILTER (WHERE code LIKE '\(deferred)/%' AND side = 'C'), 0) AS won
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id
                    WHERE entry.kind = 'expiry_reversal'
                    GROUP BY entry.id
                ) AS posted ON posted.id = refund.expiry_reversal_id
                -- What was recognised for charged coins is not part of the value.
                WHERE NOT coalesce(
                    posted.reference = 'refund:' || refund.id AND posted.coins = refund.expired_coins
                    AND coalesce(refund.expired_won, posted.won) = posted.won
                    AND refund.expired_value <= posted.won, false)
                """),
        Doctor.Check(
            "refunds_payable_differ", proves: "what is owed for refunds is the sum of the approved ones",
            sql: """
                SELECT 'account:' || account.id AS subject,
                    'owes ' || account.balance || ', approved ' || coalesce(approved.amount, 0) AS detail
                FROM (\(sums(of: .refundsPayable))) AS account
                LEFT JOIN (
                    SELECT \(UserAliases.part) AS part, sum(amount) AS amount FROM refund WHERE status = 'approved'
                    GROUP BY part
                ) AS approved ON approved.part = account.part
                WHERE account.balance <> coalesce(approved.amount, 0)
                """),
    ]

    private static let expired = SystemAccount.coinsExpired.rawValue
    private static let deferred = SystemAccount.deferredRevenue.rawValue
    private static let payable = SystemAccount.refundsPayable.rawValue
    private static let bank = SystemAccount.bank.rawValue
    private static let issued = SystemAccount.coinsIssued.rawValue
    private static let fees = SystemAccount.refundFees.rawValue
}
