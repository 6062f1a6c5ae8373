extension Doctor.Check {
    /// The accounts of VAT, and of breakage without it, follow from purchases, payments of debts and settlement lines.
    ///
    /// The won that a purchase has VAT of are counted from its price down: what went back, what is deferred. The entries
    /// count them up in lots, act by act. So the two agree only if both are right.
    static let vat: [Doctor.Check] = [
        total(
            "vat_payable_differs", of: .vatPayable,
            is: """
                SELECT stripe, CASE rule WHEN 'at_use' THEN \(vat(of: recognised))
                    WHEN 'at_sale' THEN \(vat(of: sold)) ELSE 0 END AS amount
                FROM (\(kept)) AS purchase
                UNION ALL
                SELECT entry.stripe, payment.vat FROM debt_bank_payment AS payment
                JOIN journal_entry AS entry ON entry.id = payment.journal_entry_id
                UNION ALL
                SELECT stripe, fee_vat FROM refund
                WHERE status = 'completed' OR method = 'bank_transfer' AND status = 'approved'
                """,
            proves: """
                in each stripe, output VAT is 10/110 of what is kept of purchases by their rules, of fees of refunds, and \
                of debts paid in won
                """),
        total(
            "vat_deferred_differs", of: .vatDeferred,
            is: """
                SELECT stripe, \(vat(of: sold)) - \(vat(of: recognised)) AS amount FROM (\(kept)) AS purchase
                WHERE rule = 'at_sale'
                """,
            proves: "in each stripe, VAT that was paid ahead is that of the deferred won of lots taxed at the sale"),
        total(
            "breakage_differs", of: .breakage,
            is: """
                SELECT stripe, breakage AS amount FROM lot
                UNION ALL
                SELECT stripe, \(vat(of: used)) - \(vat(of: recognised)) FROM (\(kept)) AS purchase
                WHERE rule IN ('at_use', 'at_sale')
                """,
            proves: "in each stripe, breakage is what was recognised for expired coins of lots, without its VAT"),
        total(
            "vat_input_differs", of: .vatInput,
            is: """
                SELECT entry.stripe, settled.input_vat AS amount FROM settlement_row AS settled
                JOIN journal_entry AS entry ON entry.id = settled.journal_entry_id
                """,
            proves: "in each stripe, input VAT is the sum of the taxes of settled rows that were booked apart"),
        Doctor.Check(
            "vat_misfits_entry",
            proves: "each entry posts the VAT by which its lots, its refund's fee, or its payment of a debt changed it",
            sql: entryAgainstLots),
        Doctor.Check(
            "lot_taxed_differs", proves: "each lot's recognised won are those of its last movement",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    'has ' || lot.taxed || ' won recognised, its last movement ' || coalesce(moved.taxed, lot.began_taxed)
                        AS detail
                FROM lot
                LEFT JOIN lot_movement AS moved ON moved.lot_id = lot.id AND moved.seq = lot.seq
                WHERE lot.taxed <> coalesce(moved.taxed, lot.began_taxed)
                """),
        Doctor.Check(
            "lot_supply_misfits_entry",
            proves: "each entry recognises the won of a lot with VAT if it used the coins, and no others",
            sql: """
                SELECT 'lot:' || lot_id || '/' || seq AS subject,
                    'recognises ' || recognised || ' won; ' || kind || ' ' || entry_id || ' takes ' || taken AS detail
                FROM (
                    SELECT moved.lot_id, moved.seq, entry.id AS entry_id, entry.kind,
                        moved.taxed - coalesce(before.taxed, lot.began_taxed) AS recognised,
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
                    WHEN kind IN (
                            'claw_back', 'claw_back_reversal', 'refund', 'refund_reversal', 'gift_taken_back', 'gift_returned')
                        THEN true
                    WHEN kind IN ('capture', 'capture_reversal') AND is_agents
                        THEN recognised BETWEEN least(taken, 0) AND greatest(taken, 0)
                    WHEN kind IN ('spend', 'capture', 'debt_payment', 'spend_reversal', 'capture_reversal')
                        THEN recognised = taken
                    ELSE recognised = 0 END
                """),
        Doctor.Check(
            "lot_supply_exceeds_payment",
            proves:
                "each lot with VAT recognises the won that are kept of its payment, and neither deferred nor expired",
            sql: """
                SELECT 'lot:' || lot_id AS subject,
                    'recognises ' || taxed || ' won, defers ' || deferred || ', had breakage ' || breakage || '; of '
                        || price || ' paid, ' || won || ' are kept' AS detail
                FROM (\(kept)) AS purchase
                WHERE taxed <> \(used)
                """),
        Doctor.Check(
            "taxed_breakage_differs",
            proves: "each lot's supplied breakage changes only with its breakage, and is that of its last movement",
            sql: """
                SELECT 'lot:' || lot_id || '/' || seq AS subject,
                    kind || ' makes ' || taxed_before || ' won supplied of ' || breakage_before || ' ' || taxed_breakage
                        || ' of ' || breakage AS detail
                FROM (
                    SELECT moved.lot_id, moved.seq, moved.taxed_breakage, moved.breakage, entry.kind,
                        coalesce(before.taxed_breakage, 0) AS taxed_before,
                        coalesce(before.breakage, 0) AS breakage_before
                    FROM lot_movement AS moved
                    LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
                    JOIN journal_entry AS entry ON entry.id = moved.journal_entry_id
                    WHERE moved.taxed_breakage <> 0 OR before.taxed_breakage <> 0
                ) AS line
                WHERE NOT CASE WHEN breakage > breakage_before
                        THEN kind = 'expiry' AND taxed_breakage - taxed_before IN (0, breakage - breakage_before)
                        ELSE taxed_before - taxed_breakage BETWEEN 0 AND breakage_before - breakage END
                    OR taxed_breakage NOT BETWEEN 0 AND breakage
                UNION ALL
                SELECT 'lot:' || lot.id,
                    'has ' || lot.taxed_breakage || ' won supplied, its last movement '
                        || coalesce(moved.taxed_breakage, 0)
                FROM lot
                LEFT JOIN lot_movement AS moved ON moved.lot_id = lot.id AND moved.seq = lot.seq
                WHERE lot.taxed_breakage <> coalesce(moved.taxed_breakage, 0)
                    OR lot.taxed_breakage > 0 AND lot.vat IS NULL
                """),
        Doctor.Check(
            "refund_fee_vat_differs", proves: "the fee of a refund has the VAT that the rule of its coins asks for",
            sql: """
                SELECT 'refund:' || refund.id AS subject,
                    'a fee of ' || refund.fee || ' with ' || refund.fee_vat || ' VAT, for coins of the rule '
                        || coalesce(lot.vat, 'none') AS detail
                FROM refund
                LEFT JOIN lot ON lot.purchase_id = refund.purchase_id AND lot.kind = 'paid'
                WHERE refund.fee_vat IS DISTINCT FROM CASE
                        WHEN lot.vat IN ('at_use', 'at_sale') THEN refund.fee / 11 WHEN lot.vat = 'exempt' THEN 0 END
                    AND refund.fee_vat IS NOT NULL
                """),
        Doctor.Check(
            "commission_vat_differs", proves: "the VAT of each commission is what its entry recognised",
            sql: """
                SELECT 'entry:' || share.journal_entry_id AS subject,
                    'the commission has ' || share.vat || ' VAT, the lots of its entry ' || coalesce(changed.vat, 0)
                        AS detail
                FROM provider_share AS share
                JOIN provider_terms AS terms ON terms.id = share.terms_id
                LEFT JOIN (
                    SELECT journal_entry_id, abs(sum(payable - deferred - breakage)) AS vat FROM (\(changes)) AS change
                    GROUP BY journal_entry_id
                ) AS changed ON changed.journal_entry_id = share.journal_entry_id
                WHERE share.vat <> CASE terms.role WHEN 'agent' THEN coalesce(changed.vat, 0) ELSE 0 END
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
                FROM (\(sums(of: account))) AS account
                LEFT JOIN (
                    SELECT \(UserAliases.part) AS part, sum(amount) AS total FROM (\(amounts)) AS amounts GROUP BY part
                ) AS computed ON computed.part = account.part
                WHERE account.balance <> coalesce(computed.total, 0)
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

    /// The purchases with VAT: the rule, and what is kept of the price as `won`.
    ///
    /// Nothing is kept of what went back to the buyer; the fee of a refund is a matter of its own, and so is what an agent's
    /// provider got, and what was given away: that is kept of the lot where it went, from what this one had recognised on.
    private static let kept = """
        SELECT lot.id AS lot_id, lot.stripe, lot.vat AS rule, lot.taxed, lot.deferred, lot.breakage, lot.taxed_breakage,
            coalesce(purchase.amount, lot.amount) AS price,
            lot.began_taxed + coalesce(purchase.amount - purchase.refunded_amount, lot.amount) - coalesce(fees.won, 0)
                - coalesce(provided.won, 0) - coalesce(given.won, 0) AS won
        FROM lot
        LEFT JOIN purchase ON purchase.id = lot.purchase_id
        LEFT JOIN (
            SELECT lot_id, sum(won) AS won
            FROM (
                SELECT from_lot_id AS lot_id, amount + recognised AS won FROM gift_lot
                UNION ALL
                SELECT to_lot_id, -amount - recognised FROM gift_lot WHERE gift_id IN (SELECT id FROM gift WHERE purchase_id IS NOT NULL)
            ) AS moved
            GROUP BY lot_id
        ) AS given ON given.lot_id = lot.id
        LEFT JOIN (
            SELECT purchase_id, sum(fee) AS won FROM refund
            WHERE status = 'completed' OR method = 'bank_transfer' AND status = 'approved'
            GROUP BY purchase_id
        ) AS fees ON fees.purchase_id = purchase.id
        LEFT JOIN (
            SELECT lot.id AS lot_id, sum(before.deferred - moved.deferred - (moved.taxed - before.taxed)) AS won
            \(VATRule.movements) AND moved.journal_entry_id IN (
                SELECT share.journal_entry_id FROM provider_share AS share
                JOIN provider_terms AS terms ON terms.id = share.terms_id AND terms.role = 'agent')
            GROUP BY lot.id
        ) AS provided ON provided.lot_id = lot.id
        WHERE lot.vat IS NOT NULL AND (purchase.id IS NOT NULL OR lot.origin_id IS NOT NULL)
        """
    /// What was used of a purchase in ``kept``; below zero: more went back than was recognised.
    private static let used = "won - deferred - breakage"
    /// What was used, or expired and was supplied by that.
    private static let recognised = "won - deferred - breakage + taxed_breakage"
    /// What was sold and did not expire unsupplied.
    private static let sold = "won - breakage + taxed_breakage"

    /// The VAT of won that contain it; none of won below zero.
    private static func vat(of won: String) -> String { "div(greatest(\(won), 0)::numeric * 10, 110)" }

    /// The VAT by which entries changed lots: payable, paid ahead, and in breakage.
    private static let changes = """
        SELECT journal_entry_id, \(vat(of: "began_taxed + amount")) AS payable,
            \(vat(of: "began_taxed + amount")) AS deferred, 0 AS breakage
        FROM lot WHERE vat = 'at_sale'
        UNION ALL
        SELECT moved.journal_entry_id, \(payable(of: "moved")) - \(payable(of: "before")),
            \(deferred(of: "moved")) - \(deferred(of: "before")),
            \(inBreakage(of: "moved")) - \(inBreakage(of: "before"))
        \(VATRule.movements)
        """

    /// The VAT of a lot in a state that it had.
    private static func payable(of state: String) -> String {
        """
        CASE lot.vat WHEN 'at_use' THEN \(vat(of: "\(state).taxed + \(state).taxed_breakage"))
            WHEN 'at_sale' THEN \(vat(of: "\(state).taxed + \(state).taxed_breakage + \(state).deferred")) ELSE 0 END
        """
    }

    private static func deferred(of state: String) -> String {
        """
        CASE lot.vat WHEN 'at_sale' THEN \(payable(of: state))
            - \(vat(of: "\(state).taxed + \(state).taxed_breakage")) ELSE 0 END
        """
    }

    private static func inBreakage(of state: String) -> String {
        """
        CASE WHEN lot.vat IN ('at_use', 'at_sale') THEN
            \(vat(of: "\(state).taxed + \(state).taxed_breakage")) - \(vat(of: "\(state).taxed")) ELSE 0 END
        """
    }

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
                \(changes)
                UNION ALL
                SELECT journal_entry_id, vat, 0, 0 FROM debt_bank_payment
                UNION ALL
                SELECT reversal_entry_id, fee_vat, 0, 0 FROM refund
                WHERE reversal_entry_id IS NOT NULL AND fee_vat <> 0
                UNION ALL
                SELECT decision.journal_entry_id, -fee_vat, 0, 0 FROM refund_decision AS decision
                JOIN refund ON refund.id = decision.refund_id
                WHERE decision.status = 'reversed' AND fee_vat <> 0
            ) AS change
            GROUP BY journal_entry_id
        ) AS changed ON changed.id = posted.id
        WHERE coalesce(posted.payable, 0) <> coalesce(changed.payable, 0)
            OR coalesce(posted.deferred, 0) <> coalesce(changed.deferred, 0)
        """
}
