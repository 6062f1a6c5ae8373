import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// What a service that is broken, or in somebody else's hands, can do to the books: nothing that the doctor would find.
///
/// The attempts are made from the catalogue, so that a table or a column that is added is tried too.
@Suite(.timeLimit(.minutes(20))) struct HostileServiceTests {
    @Test(.timeLimit(.minutes(20)))
    func `whatever the service's role tries is refused, or harmless for a reason that stands here`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything()
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await ledger.events.publisher.publish()
            try await Audit.expectSound(test)
            let catalogue = try await Catalogue(of: test)
            #expect(catalogue.tables.count >= 31)
            let service = try await test.connectAsService()
            var done: Set<String> = []
            var attempts = 0
            for attempt in catalogue.attempts {
                attempts += 1
                if await service.refusal(of: attempt.sql) == nil { done.insert(attempt.name) }
            }
            #expect(attempts > 600, "\(attempts)")
            let harmful = done.filter { attempt in !Self.harmless.contains { $0.covers(attempt) } }
            #expect(harmful.sorted() == [], "was done and is not known to be harmless")
            for harmless in Self.harmless {
                #expect(done.contains(where: harmless.covers), "\(harmless.attempt) is refused by now")
            }
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    /// Those of triggers too: set on a table of the service's own, they would write what it says, as their owner.
    @Test func `the service's role may call the functions that stand here alone`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            let callable = try await owner.run(
                PostgresQuery<[String]>(
                    """
                    SELECT proname FROM pg_proc
                    WHERE pronamespace = 'public'::regnamespace
                        AND has_function_privilege('ledgerd_service', oid, 'EXECUTE')
                        -- Functions of extensions and of range types are PostgreSQL's own.
                        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype IN ('e', 'i'))
                    ORDER BY proname
                    """
                ) { row in try row[0] })
            await owner.close()
            #expect(
                callable == [
                    "closed_until",  // reads, and waits for who closes the books
                    "lock_payouts",  // reads, and locks
                    "lot_vat_breakage",  // computes
                    "lot_vat_deferred",  // computes
                    "lot_vat_payable",  // computes
                    "posting_seq_as_of",  // reads
                    "posting_seq_at_event",  // reads
                    "purge_console_sessions",  // removes only what is over
                    "purge_endpoint_attempts",  // removes only what was tried more than a day ago
                    "purge_receipt_refusals",  // removes only what counts no more
                    "purge_webhook_events",  // removes only what was decided more than a day ago
                    "record_expired_orders",  // tells only of orders that expired unpaid, once
                ])
        }
    }

    /// Facts that agree with what there is, but for one thing.
    @Test func `facts that do not agree with each other are refused`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything()
            let service = try await test.connectAsService()
            for forgery in Forgery.all {
                let error = try await service.refusal(ofTransaction: forgery.sql)
                #expect(
                    error?.constraint == forgery.constraint, "\(forgery.name): \(error?.description ?? "was done")")
                let hasty = try await service.refusal(
                    ofTransaction: "SET CONSTRAINTS ALL IMMEDIATE; \(forgery.sql)")
                #expect(hasty?.constraint != nil, "\(forgery.name): \(hasty?.description ?? "was done")")
            }
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    /// What the service may do, and why it falsifies no books.
    private static let harmless = [
        Harmless(
            "update account.row_lock", "it is never anything but NULL: the right to change it is the right to lock"),
        Harmless("update refund.reason", "why a pending refund is asked for again; its money is the gateway's to tell"),
        Harmless("update refund.attempts", "how often it was asked for"),
        Harmless("update refund.next_attempt_at", "when it is asked for again"),
        Harmless(
            "update refund.asked_at", "when it was last asked for; the gateway's balance stops a second cancellation"),
        Harmless(
            "update refund.tax_free", "the tax-free part that is sent to the gateway; it refuses more than is left"),
        Harmless("update refund.lease_holder", "which process works on it; the others wait at most for its lease"),
        Harmless(
            "update receipt_retry.*", "a receipt that waits: its payment is asked of the gateway before it credits"),
        Harmless("insert receipt_refusal", "how many receipts of a user were refused lately"),
        Harmless("update receipt_refusal.*", "the same"),
        Harmless("update webhook_event.*", "what a webhook tells is asked of the gateway before it moves anything"),
        Harmless("update finding.*", "what people are to look at; the next comparison with the gateway finds it again"),
        Harmless(
            "update grant_day.coins", "how many coins a service gave on a day, for its limit; the grants are entries"),
        Harmless("update product.active_until", "until when something is for sale; what was sold is a purchase"),
        Harmless(
            "update approval.*", "who approves what in the console; the service may do the same acts without approval"),
        Harmless("update console_session.*", "until when somebody is signed in; it decides nothing in the books"),
        Harmless("update endpoint_lane.*", "which events wait; what happened is in the events and the journal"),
        Harmless("delete endpoint_lane", "the same"),
        Harmless("delete endpoint_failure", "the same"),
        Harmless("update endpoint.*", "where events are sent to; what they tell is read from the books"),
        Harmless("update endpoint_reader.*", "the same"),
        Harmless("delete reconciliation_item", "a comparison is a report on the books, and can be made again"),
        Harmless("update reconciliation_item.*", "the same"),
        Harmless("update reconciliation_run.*", "the same"),
    ]
}

private struct Harmless {
    /// As an attempt is named; `*` at the end stands for every column.
    let attempt: String

    init(_ attempt: String, _: String) { self.attempt = attempt }

    func covers(_ name: String) -> Bool {
        attempt.hasSuffix("*") ? name.hasPrefix(attempt.dropLast()) : name == attempt
    }
}

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
    private static func entry(_ kind: String, _ reference: String = "test:1", reverses: String = "NULL") -> String {
        """
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, reverses)
        SELECT 900001, stripe, '\(kind)', '\(reference)', now(), now(), \(reverses)
        FROM account WHERE code = 'wallet:ann:paid';
        """
    }

    /// Postings of the entry, each fitting its account: five of what it counts.
    private static func post(_ debit: String, _ credit: String, _ coins: Int = 5) -> String {
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
    private static let spend = "(SELECT min(id) FROM journal_entry WHERE kind = 'spend')"

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

    /// Has the database measure the month of a subject's adjustment.
    private static func measure(_ subject: String, in zone: String = "GMT") -> String {
        """
        INSERT INTO adjustment_basis (month, zone) SELECT month, '\(zone)' FROM adjustment WHERE subject = '\(subject)';
        """
    }

    /// A column of the last measurement.
    private static func measured(_ column: String) -> String {
        "(SELECT \(column) FROM adjustment_basis ORDER BY measured_at DESC LIMIT 1)"
    }

    /// A subject's adjustment once more, which books nothing, with other figures of its cohorts.
    private static func adjustAgain(
        _ subject: String, basis: String, sold: String = "sold", deferred: String = "deferred", used: String = "used"
    ) -> String {
        """
        INSERT INTO adjustment_cohort
        SELECT 900002, sold_in, purchases, \(sold), refunded, \(used), expired, \(deferred), allocated, target
        FROM adjustment_cohort
        WHERE adjustment_id = (SELECT id FROM adjustment WHERE subject = '\(subject)');
        INSERT INTO adjustment (
            id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, adjusted_by, recorded_at,
            basis_id)
        SELECT 900002, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, 0, 'eve', now(), \(basis)
        FROM adjustment WHERE subject = '\(subject)'
        """
    }

    static let all: [Forgery] = [
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
        Forgery(
            "expected breakage of no adjustment",
            entry("spend") + post("coins:expected-breakage/*", "revenue:expected-breakage/*")),
        Forgery(
            "revenue of no adjustment", entry("spend") + post("coins:deferred-bonus/*", "revenue:bonus-allocation/*")),
        Forgery(
            "an entry of no adjustment",
            entry("adjustment", "adjustment:1") + post("coins:expected-breakage/*", "revenue:expected-breakage/*")),
        Forgery(
            "an adjustment that books nothing although the policy asks for more",
            """
            INSERT INTO adjustment_cohort SELECT 900001, '2001-01', 0, 0, 0, 0, 0, 0, NULL, 5;
            INSERT INTO adjustment (
                id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, adjusted_by, recorded_at)
            SELECT 900001, subject, month, ends_at, breakage_policy_id, bonus_policy_id, 5, 0, 'eve', now()
            FROM adjustment WHERE subject = 'breakage'
            """, "adjustment_fits_policy"),
        Forgery(
            "an adjustment that its cohorts do not explain",
            """
            INSERT INTO adjustment (
                id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, adjusted_by, recorded_at)
            SELECT 900001, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, 0, 'eve', now()
            FROM adjustment WHERE subject = 'breakage'
            """, "adjustment_fits_policy"),
        Forgery(
            "an adjustment of five billion won by an invented cohort",
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT 900001, 0, 'adjustment', 'adjustment:900002', ends_at - interval '1 microsecond', now()
            FROM adjustment WHERE subject = 'breakage';
            """ + post("coins:expected-breakage/0", "revenue:expected-breakage/0", 5_000_000_000)
                + measure("breakage") + """
                    INSERT INTO adjustment_cohort
                    SELECT 900002, '2001-01', \(measured("purchases")), 2 * (target + 5000000000), 0, target + 5000000000,
                        0, target + 5000000000, NULL, target + 5000000000
                    FROM adjustment WHERE subject = 'breakage';
                    INSERT INTO adjustment (
                        id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount,
                        journal_entry_id, adjusted_by, recorded_at, basis_id)
                    SELECT 900002, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target + 5000000000,
                        5000000000, 900001, 'eve', now(), \(measured("id"))
                    FROM adjustment WHERE subject = 'breakage'
                    """, "adjustment_fits_basis"),
        Forgery(
            "an adjustment by sales that were not made",
            measure("bonus") + adjustAgain("bonus", basis: measured("id"), sold: "sold + 100", used: "used + 100"),
            "adjustment_fits_basis"),
        Forgery(
            "an adjustment of more breakage than its cohort defers",
            measure("breakage")
                + adjustAgain(
                    "breakage", basis: measured("id"), deferred: "target - 1",
                    used: "used + deferred - target + 1"),
            "adjustment_fits_basis"),
        Forgery(
            "an adjustment by nothing that was measured", adjustAgain("bonus", basis: "NULL"), "adjustment_fits_basis"),
        Forgery(
            "an adjustment by what was measured where the month ends later",
            measure("bonus", in: "Etc/GMT+12") + adjustAgain("bonus", basis: measured("id")), "adjustment_fits_basis"),
        Forgery(
            "a policy that starts in another month than its own",
            """
            INSERT INTO accounting_policy (subject, method, month, starts_at, set_by)
            SELECT 'bonus', 'none', '2099-01', starts_at, 'eve' FROM accounting_policy LIMIT 1
            """, "accounting_policy_starts_with_month"),
        Forgery(
            "a cohort of an adjustment of before",
            "INSERT INTO adjustment_cohort SELECT id, '2001-01', 0, 0, 0, 0, 0, 0, NULL, 0 FROM adjustment LIMIT 1",
            "adjustment_cohort_comes_first"),
        Forgery(
            "a policy of a month that is adjusted",
            """
            INSERT INTO accounting_policy (subject, method, month, starts_at, set_by)
            SELECT 'bonus', 'none', month, starts_at, 'eve' FROM accounting_policy LIMIT 1
            """, "accounting_policy_before_adjustment"),
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

/// The tables as the server's catalogue tells of them, and what can be tried on each.
private struct Catalogue {
    struct Attempt {
        let name: String
        let sql: String
    }

    struct Column {
        let name: String
        let type: String
        let isGenerated: Bool
        let isKey: Bool
    }

    let tables: [String: [Column]]

    init(of test: TestLedger) async throws {
        let owner = try await test.connectAsOwner()
        let rows = try await owner.run(
            PostgresQuery<[(table: String, column: Column)]>(
                """
                SELECT quote_ident(relname), quote_ident(attname), typname, attgenerated <> '',
                    EXISTS (
                        SELECT FROM pg_index
                        WHERE indrelid = pg_class.oid AND indisunique AND attnum = ANY(indkey::int2[]))
                FROM pg_class
                JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
                JOIN pg_type ON pg_type.oid = atttypid
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                ORDER BY relname, attnum
                """
            ) { row in
                let column = Column(name: try row[1], type: try row[2], isGenerated: try row[3], isKey: try row[4])
                return (try row[0], column)
            })
        await owner.close()
        tables = Dictionary(grouping: rows, by: \.table).mapValues { $0.map(\.column) }
    }

    var attempts: [Attempt] {
        tables.sorted { $0.key < $1.key }.flatMap { table, columns in
            let writable = columns.filter { !$0.isGenerated }
            var attempts = [
                Attempt(name: "insert \(table)", sql: Self.insert(into: table, writable) { _ in true }),
                Attempt(name: "insert \(table)", sql: Self.insert(into: table, writable, \.isKey)),
                Attempt(name: "insert \(table)", sql: Self.insert(into: table, writable) { _ in false }),
                Attempt(name: "delete \(table)", sql: "DELETE FROM \(table)"),
                Attempt(name: "truncate \(table)", sql: "TRUNCATE \(table) CASCADE"),
            ]
            for column in writable {
                let values = [column.changed, "NULL", "DEFAULT"]
                attempts += values.map { value in
                    Attempt(
                        name: "update \(table).\(column.name)", sql: "UPDATE \(table) SET \(column.name) = \(value)")
                }
            }
            return attempts
        }
    }

    /// A row as one that is there, with some columns changed; one of nothing but changed values where none is.
    private static func insert(into table: String, _ columns: [Column], _ isChanged: (Column) -> Bool) -> String {
        let names = columns.map(\.name).joined(separator: ", ")
        let values = columns.map { isChanged($0) ? $0.changed : $0.name }.joined(separator: ", ")
        return
            "INSERT INTO \(table) (\(names)) SELECT \(values) FROM (SELECT) AS one LEFT JOIN \(table) ON true LIMIT 1"
    }
}

extension Catalogue.Column {
    /// Another value than the column has.
    fileprivate var changed: String {
        switch type {
        case "int8", "int4": "coalesce(\(name), 0) + 900000007"
        case "text": "coalesce(\(name), '') || 'x'"
        case "timestamptz": "coalesce(\(name), now()) + interval '1 hour'"
        case "bool": "NOT coalesce(\(name), false)"
        case "jsonb": "'{}'"
        case "bytea": "'\\x00'"
        case "numeric": "1"
        default: "NULL"
        }
    }
}
