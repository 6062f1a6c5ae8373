/// One thing that the service says, with all that belongs to it but what would make it true.
struct Forgery: Sendable {
    let name: String
    let sql: String
    let constraint: String

    init(_ name: String, _ sql: String, _ constraint: String = "transaction_facts_agree") {
        self.name = name
        self.sql = sql
        self.constraint = constraint
    }

    /// An entry of this kind in a stripe: of ann's, who has coins.
    static func entry(_ kind: String, _ reference: String = "test:1", reverses: String = "NULL") -> String {
        """
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, reverses)
        SELECT 900001, stripe, '\(kind)', '\(reference)', now(), now(), \(reverses)
        FROM account WHERE code = 'wallet:ann:paid';
        """
    }

    /// Postings of the entry, each fitting its account: five of what it counts.
    static func post(_ debit: String, _ credit: String, _ coins: Int = 5) -> String {
        let lines = [(debit, "D"), (credit, "C")].map { code, side in
            """
            SELECT id, seq + 1, 900001::int8, stripe, \(coins)::int8,
                balance + CASE normal_side WHEN '\(side)' THEN \(coins) ELSE -\(coins) END, currency, '\(side)'
            FROM account
            WHERE code = replace('\(code)', '/*', '/' || (SELECT stripe FROM account WHERE code = 'wallet:ann:paid'))
            """
        }
        return """
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
            \(lines.joined(separator: " UNION ALL "));
            """
    }

    /// A movement of ann's lot by the entry, with these changes.
    ///
    /// - Parameter isBack: whether coins come back by it.
    private static func move(_ changes: [String: String], isBack: Bool = false) -> String {
        let columns = ["remaining", "held", "deferred", "expired", "breakage", "taxed_breakage"]
        let values = columns.map { column in column + (changes[column] ?? "") }.joined(separator: ", ")
        let recordedAt = "(SELECT recorded_at FROM journal_entry WHERE id = 900001)"
        return """
            INSERT INTO lot_movement (
                lot_id, seq, stripe, journal_entry_id, \(columns.joined(separator: ", ")), returned_at, recorded_at)
            SELECT id, seq + 1, stripe, 900001, \(values), \(isBack ? recordedAt : "returned_at"), \(recordedAt)
            FROM lot WHERE id = (SELECT min(id) FROM lot WHERE user_id = 'ann' AND kind = 'paid' AND remaining > 5);
            """
    }

    /// Ann's spend, which took 15 coins of the lot.
    private static let spend = """
        (SELECT min(entry.id) FROM journal_entry AS entry
        WHERE kind = 'spend' AND stripe = (SELECT stripe FROM account WHERE code = 'wallet:ann:paid'))
        """

    /// An entry that reverses ann's spend, and the coins in her lot, without their won.
    private static func comeBack(_ coins: Int = 5) -> String {
        entry("spend_reversal", "REFERENCE", reverses: spend).replacing("'REFERENCE'", with: "'spend:' || \(spend)")
            + post("coins:redeemed/*", "wallet:ann:paid", coins) + move(["remaining": " + \(coins)"], isBack: true)
    }

    /// What is recorded to have come back into the lot that the entry moves.
    private static func returned(_ coins: Int = 5, of redemption: String = spend) -> String {
        """
        INSERT INTO coin_return (journal_entry_id, lot_id, redemption_id, coins, amount, expires_at, expired_at)
        SELECT 900001, lot_id, \(redemption), \(coins), 0, NULL, NULL
        FROM lot_movement WHERE journal_entry_id = 900001;
        """
    }

    /// A hold of the entry and its one lot.
    ///
    /// - Parameter lot: the lot's id, as SQL; by default the one that the entry moves.
    private static func hold(
        by user: String = "ann", coins: Int = 5,
        lot: String = "(SELECT lot_id FROM lot_movement WHERE journal_entry_id = 900001)"
    ) -> String {
        entry("hold", "hold:900002") + post("wallet:ann:paid", "held:ann:paid")
            + move(["remaining": " - 5", "held": " + 5"]) + """
                INSERT INTO hold (id, stripe, user_id, status, coins, captured, released, placed_at, expires_at,
                    journal_entry_id)
                SELECT 900002, stripe, '\(user)', 'open', \(coins), 0, 0, now(), now() + interval '1 day', id
                FROM journal_entry WHERE id = 900001;
                INSERT INTO hold_lot (hold_id, place, lot_id, coins, held)
                VALUES (900002, 0, \(lot), \(coins), \(coins));
                """
    }

    static let all = coins + books + payouts + adjustments

    private static let coins = [
        Forgery("an entry that moves nothing", entry("spend")),
        Forgery(
            "coins out of a wallet and not of its lots", entry("spend") + post("wallet:ann:paid", "coins:redeemed/*")),
        Forgery(
            "coins of a lot and of no wallet",
            entry("spend") + post("gateway:fees/*", "revenue:coins/*") + move(["remaining": " - 5"])),
        Forgery(
            "more coins in a lot",
            entry("grant") + post("coins:promotions/*", "wallet:ann:paid") + move(["remaining": " + 5"]),
            "lot_movement_fits_lot"),
        Forgery("coins that come back and no fact tells of", comeBack()),
        Forgery(
            "coins that come back of another spend than their entry reverses",
            comeBack() + returned(of: "(SELECT max(id) FROM journal_entry WHERE kind = 'spend')"),
            "coin_return_fits_redemption"),
        Forgery(
            "more coins back than the spend took of the lot", comeBack(16) + returned(16), "coin_return_fits_redemption"
        ),
        Forgery(
            "coins back into a lot of which the spend took none",
            comeBack()
                + returned().replacing(
                    "900001, lot_id,",
                    with: """
                        900001, (
                            SELECT max(id) FROM lot
                            WHERE id <> lot_id AND stripe = (SELECT stripe FROM journal_entry WHERE id = 900001)
                        ),
                        """), "coin_return_fits_redemption"),
        Forgery("fewer coins back than the lot got", comeBack() + returned(4)),
        Forgery(
            "a new expiry of a lot that never expires",
            comeBack() + returned().replacing("NULL, NULL", with: "now() + interval '2 days', now()"),
            "coin_return_fits_redemption"),
        Forgery(
            "won that a lot loses and nobody earns",
            entry("spend") + post("wallet:ann:paid", "coins:redeemed/*")
                + move(["remaining": " - 5", "deferred": " - 5"])),
        Forgery(
            "coins set aside for no hold",
            entry("hold", "hold:900002") + post("wallet:ann:paid", "held:ann:paid")
                + move(["remaining": " - 5", "held": " + 5"])),
        Forgery(
            "a hold of other coins than were set aside", hold(coins: 4)),
        Forgery(
            "a hold's lot of another lot", hold(lot: "(SELECT max(id) FROM lot)")),
        Forgery(
            "coins frozen for no dispute",
            entry("dispute_hold", "purchase:1") + post("wallet:ann:paid", "held:ann:paid")
                + move(["remaining": " - 5", "held": " + 5"])),
        Forgery(
            "coins frozen of a purchase that nobody disputes",
            entry("dispute_hold", "REFERENCE").replacing(
                "'REFERENCE'", with: "'purchase:' || (SELECT min(id) FROM purchase WHERE user_id = 'ann')")
                + post("wallet:ann:paid", "held:ann:paid") + move(["remaining": " - 5", "held": " + 5"])
                    + """
                    INSERT INTO coin_freeze (journal_entry_id, purchase_id, act, coins, bonus_coins)
                    SELECT 900001, min(id), 'hold', 5, 0 FROM purchase WHERE user_id = 'ann'
                    """, "coin_freeze_fits_purchase"),
    ]

    private static let books = [
        Forgery(
            "a payment taken back and kept by the purchase",
            entry("claw_back", reverses: "(SELECT min(journal_entry_id) FROM purchase WHERE user_id = 'ann')")
                + post("revenue:coins/*", "gateway:receivable/*")),
        Forgery(
            "more back of a purchase than its entry posts",
            entry("claw_back", reverses: "(SELECT min(journal_entry_id) FROM purchase WHERE user_id = 'ann')")
                + post("revenue:coins/*", "gateway:receivable/*")
                    + """
                    INSERT INTO purchase_reversal (journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins)
                    SELECT 900001, id, 6, 0, 0, 0 FROM purchase
                    WHERE journal_entry_id = (SELECT reverses FROM journal_entry WHERE id = 900001)
                    """),
        Forgery(
            "a reversal of a purchase that the entry does not reverse",
            entry("claw_back") + post("revenue:coins/*", "gateway:receivable/*")
                + """
                INSERT INTO purchase_reversal (journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins)
                SELECT 900001, min(id), 5, 0, 0, 0 FROM purchase WHERE user_id = 'ann'
                """, "purchase_reversal_fits_purchase"),
        Forgery(
            "a debt without a claw-back", entry("spend") + post("debt:bob", "coins:redeemed/*"), "debt_by_claw_back"),
        Forgery(
            "a posting to an entry of before",
            post("gateway:fees/*", "revenue:coins/*").replacing(
                "900001::int8", with: "(SELECT min(journal_entry_id) FROM purchase WHERE user_id = 'ann')"),
            "posting_fits_account_and_entry"),
        Forgery(
            "a posting to an entry of before, beside one whose id has the same bits",
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT journal_entry_id << 32, stripe, 'spend', 'x', now(), now() FROM purchase WHERE user_id = 'ann' LIMIT 1;
            """
                + post("gateway:fees/*", "revenue:coins/*").replacing(
                    "900001::int8", with: "(SELECT min(journal_entry_id) FROM purchase WHERE user_id = 'ann')")),
        Forgery(
            "an entry of all time",
            entry("spend").replacing("now(), now()", with: "now(), 'infinity'"), "journal_entry_recorded_at_one"),
        Forgery(
            "an entry of a transaction that does not see what is closed meanwhile",
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; " + entry("spend"), "journal_entry_in_open_period"),
        Forgery(
            "an entry that takes itself back", entry("claw_back", reverses: "900001"), "journal_entry_reverses_an_entry"
        ),
        Forgery(
            "an account posted to twice", entry("spend") + post("gateway:fees/*", "gateway:fees/*"), "posting_pkey"),
        Forgery(
            "a hold of another user's coins", hold(by: "bob")),
        Forgery(
            "a refund that was completed and is refused",
            entry("refund_release", "refund:1") + """
                INSERT INTO refund_decision (journal_entry_id, refund_id, status, refusal)
                SELECT 900001, id, 'refused', 'x' FROM refund WHERE status = 'completed' LIMIT 1
                """, "refund_decision_fits_refund"),
        Forgery(
            "an expiry of which a part is supplied",
            entry("expiry") + post("wallet:ann:paid", "coins:expired/*")
                + move([
                    "remaining": " - 5", "deferred": " - 50", "expired": " + 5", "breakage": " + 50",
                    "taxed_breakage": " + 7",
                ]), "lot_movement_fits_lot"),
        Forgery(
            "supplied breakage of a lot without VAT",
            entry("expiry") + post("wallet:ann:paid", "coins:expired/*")
                + move([
                    "remaining": " - 5", "deferred": " - 50", "expired": " + 5", "breakage": " + 50",
                    "taxed_breakage": " + 50",
                ]), "lot_taxed_breakage_within_breakage"),
        Forgery(
            "more captured of a hold than is left",
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT 900001, stripe, 'capture', 'hold:' || id, now(), now() FROM hold WHERE status = 'open' LIMIT 1;
            INSERT INTO hold_event (journal_entry_id, hold_id, captured, released, status)
            SELECT 900001, split_part(reference, ':', 2)::int8, 1000000, 0, 'captured'
            FROM journal_entry WHERE id = 900001
            """, "hold_left_within_coins"),
        Forgery(
            "a kind that is unknown", entry("nonsense"), "journal_entry_kind_known"),
        Forgery(
            "a wallet of another's name",
            """
            INSERT INTO account (id, stripe, code, owner, currency, normal_side)
            VALUES (900003, 0, 'wallet:new:paid', 'eve', 'COIN', 'C')
            """, "account_code_fits_owner"),
    ]
}
