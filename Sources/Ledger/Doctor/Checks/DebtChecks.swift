extension Doctor.Check {
    /// Only claw-backs create debts.
    static let debts: [Doctor.Check] = [
        Doctor.Check(
            "debt_of_another_act",
            proves: """
                only claw-backs and reversals of write-offs create debts; payments, write-offs and reversals of claw-backs \
                reduce them; merges move them
                """,
            sql: """
                SELECT 'posting:' || posting.account_id || '/' || posting.seq AS subject,
                    'entry ' || entry.id || ' is a ' || entry.kind AS detail
                FROM account
                JOIN posting ON posting.account_id = account.id
                JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                WHERE account.code LIKE 'debt:%'
                    AND NOT CASE posting.side WHEN 'D' THEN entry.kind IN ('claw_back', 'debt_write_off_reversal', 'merge')
                        ELSE entry.kind IN (
                            'debt_payment', 'debt_bank_payment', 'debt_write_off', 'claw_back_reversal', 'merge') END
                """),
        Doctor.Check(
            "debt_reduction_misfits_entry",
            proves: "each payment of a debt in won, and each write-off, posts its coins and won to the right accounts",
            sql: """
                SELECT 'entry:' || coalesce(posted.id, payment.journal_entry_id) AS subject,
                    CASE WHEN posted.id IS NULL THEN 'a payment of a debt has no entry'
                        ELSE posted.kind || ' of ' || posted.reference || ' posts ' || coalesce(posted.coins, 0)
                            || ' coins of the debt and ' || coalesce(posted.won, 0) || ' won' END AS detail
                FROM (
                    SELECT entry.id, entry.kind, entry.reference,
                        sum(amount) FILTER (
                            WHERE CASE entry.kind WHEN 'debt_write_off_reversal' THEN code LIKE 'debt:%'
                                ELSE code = 'debt:' || substr(entry.reference, 6) END) AS coins,
                        sum(amount) FILTER (WHERE code LIKE '\(SystemAccount.coinsIssued.rawValue)/%') AS issued,
                        sum(amount) FILTER (WHERE code LIKE '\(SystemAccount.coinsWrittenOff.rawValue)/%') AS written_off,
                        sum(amount) FILTER (WHERE code LIKE '\(SystemAccount.bank.rawValue)/%') AS won,
                        sum(amount) FILTER (WHERE code LIKE '\(SystemAccount.revenue.rawValue)/%') AS revenue,
                        count(*) FILTER (WHERE code LIKE '\(SystemAccount.vatPayable.rawValue)/%') AS taxes,
                        count(*) AS postings
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id
                    WHERE entry.kind IN ('debt_bank_payment', 'debt_write_off', 'debt_write_off_reversal')
                    GROUP BY entry.id
                ) AS posted
                FULL JOIN debt_bank_payment AS payment ON payment.journal_entry_id = posted.id
                WHERE posted.id IS NULL OR NOT coalesce(CASE posted.kind
                    WHEN 'debt_bank_payment' THEN posted.postings = 4 + posted.taxes AND posted.reference = 'user:' || payment.user_id
                        AND posted.coins = payment.coins AND posted.issued = payment.coins
                        AND posted.won = payment.amount AND posted.revenue = payment.amount - payment.vat
                    ELSE posted.postings = 2 AND posted.coins = posted.written_off AND payment.coins IS NULL END, false)
                """),
        Doctor.Check(
            "write_off_reversal_exceeds_write_off",
            proves: "no more of a user's write-offs was taken back than was written off, at any time",
            sql: """
                SELECT 'account:' || account_id AS subject, 'after posting ' || seq || ', ' || -left_off
                    || ' more coins are taken back than were written off' AS detail
                FROM (
                    SELECT posting.account_id, posting.seq,
                        sum(CASE entry.kind WHEN 'debt_write_off' THEN amount ELSE -amount END) OVER (
                            PARTITION BY \(UserAliases.now("account.owner"))
                            ORDER BY entry.recorded_at, posting.account_id, posting.seq) AS left_off
                    FROM account
                    JOIN posting ON posting.account_id = account.id
                    JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                        AND entry.kind IN ('debt_write_off', 'debt_write_off_reversal')
                    WHERE account.code LIKE 'debt:%'
                ) AS line
                WHERE left_off < 0
                """),
        Doctor.Check(
            "write_off_reversal_exceeds_debt",
            proves: "of a purchase, no more of a write-off was taken back than claw-backs made a debt of, at any time",
            sql: """
                SELECT 'account:' || account_id AS subject, 'after posting ' || seq || ', ' || -owed
                    || ' more coins are taken back for ' || reference || ' than were owed for it' AS detail
                FROM (
                    SELECT posting.account_id, posting.seq, entry.reference,
                        sum(CASE entry.kind WHEN 'claw_back' THEN amount ELSE -amount END) OVER (
                            PARTITION BY \(UserAliases.now("account.owner")), entry.reference
                            ORDER BY entry.recorded_at, posting.account_id, posting.seq) AS owed
                    FROM account
                    JOIN posting ON posting.account_id = account.id
                    JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                        AND entry.kind IN ('claw_back', 'debt_write_off_reversal') AND entry.reference LIKE 'purchase:%'
                    WHERE account.code LIKE 'debt:%'
                ) AS line
                WHERE owed < 0
                """),
        Doctor.Check(
            "debt_beside_usable_coins", proves: "no user owes coins and has usable coins",
            sql: """
                SELECT 'account:' || account.id AS subject,
                    'owes ' || account.balance || ', but ' || sum(lot.remaining) || ' of the wallet can be used' AS detail
                FROM account
                JOIN lot ON lot.user_id = account.owner AND lot.remaining > 0
                    AND (lot.expires_at IS NULL OR lot.expires_at > now())
                WHERE account.code LIKE 'debt:%' AND account.balance > 0
                GROUP BY account.id, account.balance
                """),
    ]
}
