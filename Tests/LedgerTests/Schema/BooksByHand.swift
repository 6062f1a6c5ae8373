/// The books of one user, written by hand, and facts that a judge has to refuse after them.
///
/// Ann bought lot 13 of 100 coins for ₩1,000,000, so that each is worth ₩10,000, and lot 14 of 10 bonus coins.
enum BooksByHand {
    /// Each taken by the judges, one after the other.
    static let transactions = [
        account(1, "wallet:ann:paid") + account(2, "wallet:ann:bonus") + account(3, "held:ann:paid")
            + account(4, "payable:pia/0"),
        entry(11, "purchase", "purchase:12")
            + post(
                11, debits: ["gateway:receivable/0": 1_000_000, "coins:issued/0": 100, "coins:promotions/0": 10],
                credits: ["coins:deferred-revenue/0": 1_000_000, "wallet:ann:paid": 100, "wallet:ann:bonus": 10])
            + purchase(12, by: 11, bonus: 10) + lot(13, of: 12, by: 11) + lot(14, "bonus", coins: 10, of: 12, by: 11),
        // Hold 22 stays open; of hold 32 all is captured, in two parts.
        placeHold(22, coins: 20, by: 21),
        placeHold(32, coins: 9, by: 31),
        capture(5, of: 32, by: 33),
        capture(4, of: 32, by: 34, closes: true),
        // Payout 1 owes pia ₩40,000, less ₩1,200 of income tax and ₩120 of local tax.
        """
        INSERT INTO provider_terms (provider, share, role, withholding, set_by)
        VALUES ('pia', 8000, 'agent', 'business_income', 'kim');
        """,
        placeHold(42, coins: 5, by: 41),
        capture(5, of: 42, by: 43, closes: true, share: 40_000),
        "INSERT INTO payout (key, cut_off, proposed_by) VALUES ('payout-1', now(), 'kim');",
        "INSERT INTO payout_decision (payout_id, decision, decided_by) SELECT id, 'approved', 'lee' FROM payout;",
        // Ten coins are frozen for a dispute.
        """
        INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
        VALUES (52, 0, 12, 'ann', now(), 'not mine', now());
        """ + freeze("hold", 10, by: 51),
        // A refund by the gateway, which refused it, and one by bank transfer, which is paid.
        entry(61, "refund_hold", "refund:62") + hold(10, by: 61) + refund(62, by: 61),
        entry(63, "refund_release", "refund:62", reverses: 61) + release(10, by: 63) + decide(62, "refused", by: 63),
        entry(71, "refund", "refund:72", reverses: 11)
            + post(
                71, debits: ["wallet:ann:paid": 10, "coins:deferred-revenue/0": 100_000],
                credits: ["coins:issued/0": 10, "refunds:payable/0": 100_000])
            + move(13, by: 71, ["remaining": -10, "deferred": -100_000])
            + reversal(by: 71, amount: 100_000, coins: 10, isTransfer: true) + refund(72, by: 71, isTransfer: true),
        payRefund(72, by: 73),
        // The gateway took back ₩5,000 and no coins.
        clawBack(-5_000, by: 81),
        // Two disputes are booked as lost: each took six coins.
        lose(54, by: 91), lose(55, by: 92),
        """
        INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name)
        VALUES ('approval-1', 'grant', 'user:ann', 'ann', '{}', '{}', 'a gift', 'kim', 'Kim');
        UPDATE approval
        SET status = 'declined', decided_by = 'lee', decided_name = 'Lee', decided_at = now(), decision_reason = 'no';
        """,
    ]

    // MARK: - Journal

    static func account(_ id: Int, _ code: String) -> String {
        """
        INSERT INTO account (id, stripe, code, owner, currency, normal_side)
        VALUES (9000\(id), 0, '\(code)', '\(code.contains("pia") ? "pia" : "ann")',
            '\(code.contains("pia") ? "KRW" : "COIN")', 'C');
        """
    }

    static func entry(_ id: Int, _ kind: String, _ reference: String, reverses: Int? = nil) -> String {
        """
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, reverses)
        VALUES (\(id), 0, '\(kind)', '\(reference)', now(), now(), \(reverses.map(String.init) ?? "NULL"));
        """
    }

    /// An entry's postings, each fitting its account, but those of zero.
    static func post(
        _ entry: Int, debits: KeyValuePairs<String, Int>, credits: KeyValuePairs<String, Int>
    ) -> String {
        let lines = debits.map { "('\($0)', 'D', \($1))" } + credits.map { "('\($0)', 'C', \($1))" }
        return """
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
            SELECT id, seq + 1, \(entry), stripe, amount,
                balance + CASE normal_side WHEN side THEN amount ELSE -amount END, currency, side
            FROM (VALUES \(lines.joined(separator: ", "))) AS line (code, side, amount) JOIN account USING (code)
            WHERE amount <> 0;
            """
    }

    // MARK: - Coins

    static func purchase(_ id: Int, by entry: Int, bonus: Int) -> String {
        """
        INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency,
            coins, bonus_coins, paid_at, credited_at, journal_entry_id)
        VALUES (\(id), 0, 'ann', 'credited', 'portone-v1', 'imp_\(id)', 'order_\(id)', 'coins_100', 1000000, 'KRW',
            100, \(bonus), now(), now(), \(entry));
        """
    }

    static func lot(
        _ id: Int, _ kind: String = "paid", coins: Int = 100, remaining: Int? = nil, won: Int = 1_000_000,
        of purchase: Int? = nil, by entry: Int
    ) -> String {
        let won = kind == "paid" ? won : 0
        return """
            INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
                purchase_id, journal_entry_id)
            VALUES (\(id), 0, 'ann', '\(kind)', \(coins), \(remaining ?? coins), \(won), \(won), 'KRW', now(),
                \(purchase.map(String.init) ?? "NULL"), \(entry));
            """
    }

    /// - Parameter isBack: whether there are more coins than before that can be used.
    static func move(_ lot: Int, by entry: Int, _ changes: [String: Int], isBack: Bool = false) -> String {
        let columns = ["remaining", "held", "deferred", "expired", "breakage"]
        let values = columns.map { "\($0) + \(changes[$0] ?? 0)" }.joined(separator: ", ")
        return """
            INSERT INTO lot_movement (
                lot_id, seq, stripe, journal_entry_id, \(columns.joined(separator: ", ")), returned_at, recorded_at)
            SELECT id, seq + 1, stripe, \(entry), \(values), \(isBack ? "now()" : "returned_at"), now()
            FROM lot WHERE id = \(lot);
            """
    }

    /// Coins of the paid lot go from the wallet to the held account.
    static func hold(_ coins: Int, by entry: Int) -> String {
        post(entry, debits: ["wallet:ann:paid": coins], credits: ["held:ann:paid": coins])
            + move(13, by: entry, ["remaining": -coins, "held": coins])
    }

    static func release(_ coins: Int, by entry: Int) -> String {
        post(entry, debits: ["held:ann:paid": coins], credits: ["wallet:ann:paid": coins])
            + move(13, by: entry, ["remaining": coins, "held": -coins], isBack: true)
    }

    private static func placeHold(_ id: Int, coins: Int, by entry: Int) -> String {
        self.entry(entry, "hold", "hold:\(id)") + hold(coins, by: entry) + """
            INSERT INTO hold (
                id, stripe, user_id, status, coins, captured, released, placed_at, expires_at, journal_entry_id)
            VALUES (\(id), 0, 'ann', 'open', \(coins), 0, 0, now(), now() + interval '1 day', \(entry));
            INSERT INTO hold_lot (hold_id, place, lot_id, coins, held) VALUES (\(id), 0, 13, \(coins), \(coins));
            """
    }

    /// - Parameter share: what pia gets of it; nil: it is for no provider.
    static func capture(
        _ coins: Int, of hold: Int, by entry: Int, closes: Bool = false, share: Int? = nil
    ) -> String {
        let won = coins * 10_000
        let providerShare = """
            INSERT INTO provider_share (
                journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at)
            SELECT \(entry), \(entry), 'pia', 0, max(id), \(won), \(share ?? 0), now() FROM provider_terms;
            """
        return self.entry(entry, "capture", "hold:\(hold)")
            + post(
                entry, debits: ["held:ann:paid": coins, "coins:deferred-revenue/0": won],
                credits: [
                    "coins:redeemed/0": coins, "revenue:coins/0": share == nil ? won : 0, "payable:pia/0": share ?? 0,
                    "revenue:commission/0": share.map { won - $0 } ?? 0,
                ])
            + move(13, by: entry, ["held": -coins, "deferred": -won])
                + """
                INSERT INTO hold_event (journal_entry_id, hold_id, captured, released, status)
                VALUES (\(entry), \(hold), \(coins), 0, '\(closes ? "captured" : "open")');
                """ + (share == nil ? "" : providerShare)
    }

    /// - Parameter act: `hold` or `release`.
    static func freeze(_ act: String, _ coins: Int, by entry: Int) -> String {
        self.entry(entry, "dispute_\(act)", "purchase:12")
            + (act == "hold" ? hold(coins, by: entry) : release(coins, by: entry)) + """
                INSERT INTO coin_freeze (journal_entry_id, purchase_id, act, coins, bonus_coins)
                VALUES (\(entry), 12, '\(act)', \(coins), 0);
                """
    }

    // MARK: - Disputes

    /// A dispute of the purchase takes six coins when it is booked as lost.
    private static func lose(_ id: Int, by entry: Int) -> String {
        """
        INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
        VALUES (\(id), 0, 12, 'ann', now() + interval '\(id) seconds', 'not mine', now());
        """ + self.entry(entry, "claw_back", "purchase:12", reverses: 11)
            + post(
                entry, debits: ["wallet:ann:paid": 6, "coins:deferred-revenue/0": 60_000],
                credits: ["coins:issued/0": 6, "gateway:receivable/0": 60_000])
            + move(13, by: entry, ["remaining": -6, "deferred": -60_000])
            + reversal(by: entry, amount: 60_000, coins: 6, isTransfer: false)
            + decide(id, "lost", 60_000, by: entry)
    }

    /// The dispute is won by entry 101.
    ///
    /// - Parameters:
    ///   - loss: the claw-back that is reversed.
    ///   - coins: how many come back.
    ///   - won: how many come back.
    static func win(_ id: Int, of loss: Int = 91, coins: Int = 6, won: Int = 60_000) -> String {
        entry(101, "claw_back_reversal", "purchase:12", reverses: loss)
            + post(
                101,
                debits: [
                    "coins:issued/0": 6, "gateway:receivable/0": won, "coins:redeemed/0": max(0, coins - 6),
                ],
                credits: [
                    "wallet:ann:paid": coins, "coins:redeemed/0": max(0, 6 - coins), "coins:deferred-revenue/0": won,
                ])
            + move(13, by: 101, ["remaining": coins, "deferred": won], isBack: true)
            + reversal(by: 101, amount: -won, coins: -6, isTransfer: false)
                + """
                INSERT INTO coin_return (journal_entry_id, lot_id, redemption_id, coins, amount)
                VALUES (101, 13, \(loss), \(coins), \(won));
                """ + decide(id, "won", won, by: 101)
    }

    static func decide(_ dispute: Int, _ outcome: String, _ won: Int, by entry: Int) -> String {
        """
        INSERT INTO dispute_decision (
            dispute_id, outcome, decided_at, decided_by, reason, amount, journal_entry_id, recorded_at)
        VALUES (\(dispute), '\(outcome)', now(), 'kim', 'the bank says so', \(won), \(entry), now());
        """
    }

    // MARK: - Money

    static func reversal(
        by entry: Int, amount: Int, coins: Int, isTransfer: Bool, of purchase: Int = 12
    ) -> String {
        """
        INSERT INTO purchase_reversal (
            journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins, is_transfer)
        VALUES (\(entry), \(purchase), \(amount), \(coins), 0, 0, \(isTransfer));
        """
    }

    /// - Parameter won: what the purchase gets; below zero: what is taken back of it.
    static func clawBack(_ won: Int, by entry: Int, isTransfer: Bool = false) -> String {
        let account = isTransfer ? "refunds:payable/0" : "gateway:receivable/0"
        return self.entry(entry, "claw_back", "purchase:12", reverses: 11)
            + (won < 0
                ? post(entry, debits: ["revenue:coins/0": -won], credits: [account: -won])
                : post(entry, debits: [account: won], credits: ["revenue:coins/0": won]))
            + reversal(by: entry, amount: -won, coins: 0, isTransfer: isTransfer)
    }

    /// A refund of ten coins without a fee.
    static func refund(_ id: Int, of purchase: Int = 12, by entry: Int, isTransfer: Bool = false) -> String {
        let method =
            isTransfer
            ? "'bank_transfer', 'approved', '[]', \(entry)" : "'gateway', 'pending', NULL, NULL"
        return """
            INSERT INTO refund (id, stripe, purchase_id, user_id, coins, bonus_coins, value, fee, amount, currency,
                explanation, believed_balance, journal_entry_id, reason, requested_at, next_attempt_at,
                method, status, taken, reversal_entry_id)
            VALUES (\(id), 0, \(purchase), 'ann', 10, 0, 100000, 0, 100000, 'KRW', 'changed her mind', 1000000, \(entry), 'asked',
                now(), now() + interval '1 day', \(method));
            """
    }

    static func decide(_ refund: Int, _ status: String, by entry: Int) -> String {
        """
        INSERT INTO refund_decision (journal_entry_id, refund_id, status, refusal, paid_at, bank_reference)
        VALUES (\(entry), \(refund), '\(status)',
            \(status == "refused" ? "'no', NULL, NULL" : "NULL, now(), 'KB 7'"));
        """
    }

    static func payRefund(_ id: Int, by entry: Int) -> String {
        self.entry(entry, "refund_payment", "refund:\(id)")
            + post(entry, debits: ["refunds:payable/0": 100_000], credits: ["bank/0": 100_000])
            + decide(id, "completed", by: entry)
    }

    /// Payout 1 is paid and booked with so much tax.
    static func payOut(tax: Int) -> String {
        """
        INSERT INTO payout_decision (payout_id, decision, decided_by, paid_at, bank_reference)
        VALUES (1, 'paid', 'kim', now(), 'bulk transfer 7');
        """ + entry(101, "payout", "payout:1")
            + post(
                101, debits: ["payable:pia/0": 40_000],
                credits: ["bank/0": 40_000 - tax, "tax:withholding-payable/0": tax])
            + "INSERT INTO payout_entry VALUES (101, 1, 'pia', 0, 40000, \(tax));"
    }
}
