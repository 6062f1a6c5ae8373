extension BooksByHand {
    struct Forged: Sendable {
        let name: String
        let constraint: String
        let sql: String

        init(_ name: String, _ constraint: String, _ sql: String...) {
            self.name = name
            self.constraint = constraint
            self.sql = sql.joined()
        }
    }

    static let forged = [
        Forged("a payout that is booked without its taxes", "payout_booked_whole", payOut(tax: 0)),
        Forged("a payout that is booked with more taxes than it owes", "payout_booked_whole", payOut(tax: 1321)),
        Forged(
            "a lower share than by the terms", "provider_share_fits_capture",
            capture(5, of: 22, by: 101, share: 39_999)),
        Forged(
            "a higher share than by the terms", "provider_share_fits_capture",
            capture(5, of: 22, by: 101, share: 40_001)),
        Forged("more coins released than were frozen", "coin_freeze_fits_purchase", freeze("release", 11, by: 101)),
        Forged(
            "a gap among new postings of an account", "posting_fits_account_and_entry",
            twoEntries(secondSeq: 3, secondBalance: 10)),
        Forged(
            "a second balance that does not follow from the first", "posting_fits_account_and_entry",
            twoEntries(secondSeq: 2, secondBalance: 11)),
        Forged(
            "a purchase with two lots of paid coins", "transaction_facts_agree",
            entry(101, "purchase", "purchase:102"),
            post(
                101, debits: ["gateway:receivable/0": 1_000_000, "coins:issued/0": 100],
                credits: ["coins:deferred-revenue/0": 1_000_000, "wallet:ann:paid": 100]),
            purchase(102, by: 101, bonus: 0), lot(103, coins: 50, won: 500_000, of: 102, by: 101),
            lot(104, coins: 50, won: 500_000, of: 102, by: 101)),
        Forged(
            "a purchase in a store that the payment gateways owe", "transaction_facts_agree",
            entry(101, "purchase", "purchase:102"),
            post(
                101, debits: ["gateway:receivable/0": 1_000_000, "coins:issued/0": 100],
                credits: ["coins:deferred-revenue/0": 1_000_000, "wallet:ann:paid": 100]),
            purchase(102, by: 101, bonus: 0).replacing("portone-v1", with: "app-store"), lot(103, of: 102, by: 101)),
        Forged(
            "a claw-back that a store bears, of a purchase elsewhere", "transaction_facts_agree",
            clawBack(-5_000, by: 101).replacing("gateway:receivable", with: "app-store:receivable")),
        // Without the judge's condition it is a CHECK that refuses this.
        Forged(
            "a coin captured of a closed hold", "hold_event_fits_hold", capture(1, of: 32, by: 101, closes: true)),
        Forged(
            "coins back of another capture of the hold than the entry reverses", "coin_return_fits_redemption",
            entry(101, "capture_reversal", "hold:32", reverses: 33),
            post(
                101, debits: ["coins:redeemed/0": 3, "revenue:coins/0": 30_000],
                credits: ["wallet:ann:paid": 3, "coins:deferred-revenue/0": 30_000]),
            move(13, by: 101, ["remaining": 3, "deferred": 30_000], isBack: true),
            """
            INSERT INTO coin_return (journal_entry_id, lot_id, redemption_id, coins, amount)
            VALUES (101, 13, 34, 3, 30000);
            """),
        Forged(
            "a refused refund that is refused again", "refund_decision_fits_refund",
            entry(101, "refund_release", "refund:62", reverses: 61),
            post(101, debits: ["gateway:fees/0": 5], credits: ["revenue:coins/0": 5]),
            decide(62, "refused", by: 101)),
        Forged(
            "a refund by bank transfer that is paid again", "refund_decision_fits_refund", payRefund(72, by: 101)),
        Forged(
            "a claw-back that gives to the purchase", "purchase_reversal_fits_purchase", clawBack(5_000, by: 101)),
        Forged(
            "a claw-back by bank transfer", "purchase_reversal_fits_purchase",
            clawBack(-5_000, by: 101, isTransfer: true)),
        Forged("a win that gives back what another dispute took", "dispute_decision_fits_dispute", win(54, of: 92)),
        Forged("a win that gives back more coins than were taken", "coin_return_fits_redemption", win(54, coins: 7)),
        Forged("a win that gives back a part", "purchase_reversal_fits_purchase", win(54, won: 50_000)),
        Forged(
            "a store's word about a payment of another gateway", "claw_back_reversal_fits_purchase",
            entry(101, "claw_back_reversal", "purchase:12", reverses: 81),
            post(101, debits: ["gateway:receivable/0": 5_000], credits: ["revenue:coins/0": 5_000]),
            reversal(by: 101, amount: -5_000, coins: 0, isTransfer: false),
            "INSERT INTO claw_back_reversal VALUES (101, 81, 12, now());"),
        Forged(
            "a store's word about a refund of ours", "claw_back_reversal_fits_purchase",
            entry(101, "purchase", "purchase:102"),
            post(
                101, debits: ["app-store:receivable/0": 1_000_000, "coins:issued/0": 100],
                credits: ["coins:deferred-revenue/0": 1_000_000, "wallet:ann:paid": 100]),
            purchase(102, by: 101, bonus: 0).replacing("portone-v1", with: "app-store"), lot(103, of: 102, by: 101),
            entry(104, "refund", "refund:105", reverses: 101),
            reversal(by: 104, amount: 5_000, coins: 0, isTransfer: false, of: 102),
            entry(106, "claw_back_reversal", "purchase:102", reverses: 104),
            reversal(by: 106, amount: -5_000, coins: 0, isTransfer: false, of: 102),
            "INSERT INTO claw_back_reversal VALUES (106, 104, 102, now());"),
        Forged(
            "a win that gives back beside the lots", "dispute_decision_fits_dispute", win(54, coins: 5)),
        Forged(
            "a lot of which something is gone when it begins", "lot_begins_whole",
            entry(101, "grant", "test:1"),
            post(101, debits: ["coins:promotions/0": 5], credits: ["wallet:ann:bonus": 5]),
            lot(103, "bonus", coins: 5, remaining: 3, by: 101)),
        Forged(
            "an approval of what was declined", "approval_decided_once", "UPDATE approval SET status = 'approved';"),
        Forged(
            "a withdrawal of what was declined", "approval_decided_once",
            """
            UPDATE approval SET status = 'withdrawn', withdrawn_by = 'kim', withdrawn_at = now(), decided_by = NULL,
                decided_name = NULL, decided_at = NULL, decision_reason = NULL;
            """),
        Forged(
            "a second proposal by who has not seen the first", "approval_open_once",
            """
            INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name, beside)
            VALUES ('approval-2', 'grant', 'user:ann', 'ann', '{}', '{}', 'a gift', 'kim', 'Kim', NULL),
                ('approval-3', 'grant', 'user:ann', 'ann', '{}', '{}', 'a gift', 'kim', 'Kim', 1);
            """),
        Forged(
            "a proposal whose proposer has seen one about another object", "approval_beside_of_object",
            """
            INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name, beside)
            VALUES ('approval-2', 'grant', 'user:eve', 'eve', '{}', '{}', 'a gift', 'kim', 'Kim', 1);
            """),
    ]

    /// Two entries of ₩5 between the same accounts, which nothing was posted to before, in one statement.
    private static func twoEntries(secondSeq: Int, secondBalance: Int) -> String {
        entry(101, "grant", "test:1") + entry(102, "grant", "test:2") + """
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
            SELECT id, line.seq, entry, stripe, 5, line.balance, currency, normal_side
            FROM (VALUES (1, 101, 5), (\(secondSeq), 102, \(secondBalance))) AS line (seq, entry, balance)
            CROSS JOIN account WHERE code IN ('gateway:fees/0', 'tax:vat-payable/0');
            """
    }
}
