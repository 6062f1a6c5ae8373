extension Forgery {
    static let payouts = [
        Forgery(
            "a payout of no statement",
            entry("settlement", "purchase:1") + post("gateway:fees/*", "revenue:coins/*")),
        Forgery(
            "won that are owed to a provider for no capture", entry("spend") + post("revenue:coins/*", "payable:pia/*")),
        Forgery(
            "a commission of no capture", entry("spend") + post("coins:deferred-revenue/*", "revenue:commission/*")),
        Forgery("a payment to a provider of no payout", entry("payout", "payout:1") + post("payable:pia/*", "bank/*")),
        Forgery(
            "a payment that its payout does not cover",
            entry("payout", "payout:1") + post("payable:pia/*", "bank/*")
                + "INSERT INTO payout_entry SELECT 900001, 1, 'pia', stripe, 5, 0 FROM journal_entry WHERE id = 900001",
            "payout_entry_fits_payout"),
        Forgery(
            "a repayment of no provider", entry("provider_repayment", "provider:pia") + post("bank/*", "payable:pia/*")),
        Forgery(
            "a repayment that its entry does not book",
            entry("provider_repayment", "provider:pia") + post("bank/*", "payable:pia/*")
                + """
                INSERT INTO provider_repayment (
                    journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at)
                SELECT 900001, 'pia', stripe, 7, now(), 'x', recorded_at FROM journal_entry WHERE id = 900001
                """),
        Forgery(
            "a share of a capture of before",
            """
            INSERT INTO provider_share (
                journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at)
            SELECT id, id, 'pia', stripe, 1, 0, 0, recorded_at FROM journal_entry
            WHERE kind = 'capture' AND id NOT IN (SELECT journal_entry_id FROM provider_share) LIMIT 1
            """, "provider_share_fits_capture"),
        Forgery(
            "a payout approved by its proposer",
            """
            INSERT INTO payout_decision (payout_id, decision, decided_by)
            SELECT id, 'approved', proposed_by FROM payout WHERE status = 'proposed'
            """, "payout_approved_by_another"),
        Forgery(
            "a payout approved by its proposer at another door",
            """
            INSERT INTO payout_decision (payout_id, decision, decided_by)
            SELECT id, 'approved', 'console:' || upper(proposed_by) FROM payout WHERE status = 'proposed'
            """, "payout_approved_by_another"),
        Forgery(
            "a payout that is paid and not booked",
            """
            INSERT INTO payout_decision (payout_id, decision, decided_by, paid_at, bank_reference)
            SELECT id, 'paid', 'eve', now(), 'x' FROM payout WHERE status = 'approved'
            """, "payout_booked_whole"),
        Forgery(
            "a payout that is withdrawn after it was paid",
            """
            INSERT INTO payout_decision (payout_id, decision, decided_by)
            SELECT id, 'withdrawn', 'eve' FROM payout WHERE status = 'paid'
            """, "payout_decision_fits_payout"),
    ]
}
