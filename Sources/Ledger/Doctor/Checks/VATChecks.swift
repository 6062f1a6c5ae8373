extension Doctor.Check {
    /// The accounts of VAT follow from lots, payments of debts and settlement lines.
    static let vat: [Doctor.Check] = [
        total(
            "vat_payable_differs", of: .vatPayable,
            is: """
                SELECT stripe, lot_vat_payable(vat, taxed, deferred) AS amount FROM lot WHERE vat IS NOT NULL
                UNION ALL
                SELECT entry.stripe, payment.vat FROM debt_bank_payment AS payment
                JOIN journal_entry AS entry ON entry.id = payment.journal_entry_id
                """,
            proves: "in each stripe, output VAT is that of the won of lots by their rules, and of debts paid in won"),
        total(
            "vat_deferred_differs", of: .vatDeferred,
            is: "SELECT stripe, lot_vat_deferred(vat, taxed, deferred) AS amount FROM lot WHERE vat IS NOT NULL",
            proves: "in each stripe, VAT that was paid ahead is that of the deferred won of lots taxed at the sale"),
        total(
            "vat_input_differs", of: .vatInput,
            is: """
                SELECT entry.stripe, settled.input_vat AS amount FROM settlement_row AS settled
                JOIN journal_entry AS entry ON entry.id = settled.journal_entry_id
                """,
            proves: "in each stripe, input VAT is the sum of the taxes of settled rows that were booked apart"),
        Doctor.Check(
            "vat_misfits_entry",
            proves: "each entry posts the VAT by which its lots, or its payment of a debt, changed it",
            sql: entryAgainstLots),
        Doctor.Check(
            "lot_taxed_differs", proves: "each lot's recognised won are those of its last movement",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    'has ' || lot.taxed || ' won recognised, its last movement ' || coalesce(moved.taxed, 0) AS detail
                FROM lot
                LEFT JOIN lot_movement AS moved ON moved.lot_id = lot.id AND moved.seq = lot.seq
                WHERE lot.taxed <> coalesce(moved.taxed, 0)
                """),
        Doctor.Check(
            "lot_supply_misfits_entry",
            proves: "each entry recognises the won of a lot with VAT if it used the coins, and no others",
            sql: """
                SELECT 'lot:' || lot_id || '/' || seq AS subject,
                    'recognises ' || recognised || ' won; ' || kind || ' ' || entry_id || ' takes ' || taken AS detail
                FROM (
                    SELECT moved.lot_id, moved.seq, entry.id AS entry_id, entry.kind,
                        moved.taxed - coalesce(before.taxed, 0) AS recognised,
                        coalesce(before.deferred, lot.amount) - moved.deferred AS taken,
                        coalesce(terms.role = 'agent', false) AS is_agents
                    FROM lot
                    JOIN lot_movement AS moved ON moved.lot_id = lot.id
                    LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
                    JOIN journal_entry AS entry ON entry.id = moved.journal_entry_id
                    LEFT JOIN provider_share AS share ON share.journal_entry_id = entry.id
                    LEFT JOIN provider_terms AS terms ON terms.id = share.terms_id
                    WHERE lot.vat IS NOT NULL
                ) AS line
                WHERE NOT CASE
                    WHEN kind IN ('claw_back', 'refund', 'refund_reversal') THEN true
                    WHEN kind IN ('capture', 'capture_reversal') AND is_agents
                        THEN recognised BETWEEN least(taken, 0) AND greatest(taken, 0)
                    WHEN kind IN ('spend', 'capture', 'debt_payment', 'spend_reversal', 'capture_reversal')
                        THEN recognised = taken
                    ELSE recognised = 0 END
                """),
        Doctor.Check(
            "lot_supply_exceeds_payment",
            proves: "no lot with VAT recognises won of its payment that went back, are deferred or expired",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    'recognises ' || lot.taxed || ' won, defers ' || lot.deferred || ', had breakage ' || lot.breakage
                        || '; of ' || lot.amount || ' paid, ' || purchase.refunded_amount || ' went back' AS detail
                FROM lot
                JOIN purchase ON purchase.id = lot.purchase_id
                WHERE lot.vat IS NOT NULL AND lot.taxed > 0
                    AND lot.taxed + lot.deferred + lot.breakage > lot.amount - purchase.refunded_amount
                """),
        Doctor.Check(
            "commission_vat_differs", proves: "the VAT of each commission is what its entry recognised",
            sql: """
                SELECT 'entry:' || share.journal_entry_id AS subject,
                    'the commission has ' || share.vat || ' VAT, its entry ' || coalesce(posted.vat, 0) AS detail
                FROM provider_share AS share
                JOIN provider_terms AS terms ON terms.id = share.terms_id
                LEFT JOIN (
                    SELECT journal_entry_id, abs(sum(payable - deferred)) AS vat FROM (\(postings)) AS line
                    GROUP BY journal_entry_id
                ) AS posted ON posted.journal_entry_id = share.journal_entry_id
                WHERE share.vat <> CASE terms.role WHEN 'agent' THEN coalesce(posted.vat, 0) ELSE 0 END
                """),
    ]

    /// Compares a system account with a sum of amounts in each stripe.
    private static func total(
        _ code: String, of account: SystemAccount, is amounts: String, proves: String
    ) -> Doctor.Check {
        Doctor.Check(
            code, proves: proves,
            sql: """
                SELECT 'account:' || account.id AS subject,
                    'balance ' || account.balance || ', computed ' || coalesce(computed.total, 0) AS detail
                FROM account
                LEFT JOIN (SELECT stripe, sum(amount) AS total FROM (\(amounts)) AS part GROUP BY stripe) AS computed
                    ON computed.stripe = account.stripe
                WHERE account.code = '\(account.rawValue)/' || account.stripe
                    AND account.balance <> coalesce(computed.total, 0)
                """)
    }

    /// What entries post to the accounts of output VAT: more payable, more paid ahead.
    private static let postings = """
        SELECT posting.journal_entry_id,
            CASE WHEN NOT account.code LIKE '\(SystemAccount.vatPayable.rawValue)/%' THEN 0
                WHEN posting.side = 'C' THEN posting.amount ELSE -posting.amount END AS payable,
            CASE WHEN account.code LIKE '\(SystemAccount.vatPayable.rawValue)/%' THEN 0
                WHEN posting.side = 'D' THEN posting.amount ELSE -posting.amount END AS deferred
        FROM account
        JOIN posting ON posting.account_id = account.id
        WHERE account.owner IS NULL AND (account.code LIKE '\(SystemAccount.vatPayable.rawValue)/%'
            OR account.code LIKE '\(SystemAccount.vatDeferred.rawValue)/%')
        """

    /// Compares what each entry posted with what it changed.
    private static let entryAgainstLots = """
        SELECT 'entry:' || coalesce(posted.id, changed.id) AS subject,
            'posts ' || coalesce(posted.payable, 0) || ' payable and ' || coalesce(posted.deferred, 0)
                || ' paid ahead; its lots have ' || coalesce(changed.payable, 0) || ' and '
                || coalesce(changed.deferred, 0) AS detail
        FROM (
            SELECT journal_entry_id AS id, sum(payable) AS payable, sum(deferred) AS deferred FROM (\(postings)) AS line
            GROUP BY journal_entry_id
        ) AS posted
        FULL JOIN (
            SELECT journal_entry_id AS id, sum(payable) AS payable, sum(deferred) AS deferred
            FROM (
                SELECT journal_entry_id, lot_vat_payable(vat, 0, amount) AS payable,
                    lot_vat_deferred(vat, 0, amount) AS deferred
                FROM lot WHERE vat = 'at_sale'
                UNION ALL
                SELECT moved.journal_entry_id,
                    lot_vat_payable(lot.vat, moved.taxed, moved.deferred) - lot_vat_payable(
                        lot.vat, coalesce(before.taxed, 0), coalesce(before.deferred, lot.amount)),
                    lot_vat_deferred(lot.vat, moved.taxed, moved.deferred) - lot_vat_deferred(
                        lot.vat, coalesce(before.taxed, 0), coalesce(before.deferred, lot.amount))
                FROM lot
                JOIN lot_movement AS moved ON moved.lot_id = lot.id
                LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
                WHERE lot.vat IS NOT NULL
                UNION ALL
                SELECT journal_entry_id, vat, 0 FROM debt_bank_payment
            ) AS change
            GROUP BY journal_entry_id
        ) AS changed ON changed.id = posted.id
        WHERE coalesce(posted.payable, 0) <> coalesce(changed.payable, 0)
            OR coalesce(posted.deferred, 0) <> coalesce(changed.deferred, 0)
        """
}
