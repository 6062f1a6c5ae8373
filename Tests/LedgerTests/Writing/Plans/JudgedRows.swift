/// Rows for a judge, with those that they refer to: every statement of the judge is carried out for them.
///
/// `:rows` is how many. All are of stripe 0 and made in one transaction that is rolled back; their ids begin behind those of
/// ``FilledTables``.
struct JudgedRows: Sendable {
    /// The table whose judges look at the rows.
    let table: String
    /// What is special about the rows; nil: nothing.
    let note: String?
    /// Statements that no trigger judges.
    let before: [String]
    /// The statement that is judged.
    let statement: String

    private init(_ table: String, _ note: String? = nil, before: [String] = [], judged statement: String) {
        self.table = table
        self.note = note
        self.before = before
        self.statement = statement
    }

    static let all = journal + purchases + coins + holds + refunds + disputes + providers + others
}

// MARK: - Entries, postings and outcomes

extension JudgedRows {
    private static let journal: [JudgedRows] = [
        JudgedRows("account", judged: wallets),
        JudgedRows(
            "journal_entry", before: [bought],
            judged: entries(6_000_000, "claw_back", "'purchase:' || n", reversing: 5_000_000)),
        JudgedRows(
            "posting", before: [wallets, entries(6_000_000, "purchase", "'purchase:' || n")],
            judged: postings(issued: "D", user: 7_000_000, "C")),
        JudgedRows(
            "posting", "of debts", before: [debts, entries(6_000_000, "claw_back", "'purchase:' || n")],
            judged: postings(issued: "C", user: 7_500_000, "D")),
        JudgedRows(
            "idempotency", before: [entries(6_000_000, "spend", "'spend:' || 6000000 + n")],
            judged: """
                INSERT INTO idempotency (key, caller, command, fingerprint, outcome, journal_entry_id, recorded_at)
                SELECT 'batch-' || n, 'shop', 'spend', 'x', '{}', 6000000 + n, now() FROM generate_series(1, :rows) AS n
                """),
    ]

    /// Entries without postings, from an id on; what they reverse has the ids from another one on.
    private static func entries(
        _ first: Int, _ kind: String, _ reference: String, reversing reversed: Int? = nil
    ) -> String {
        """
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, reverses)
        SELECT \(first) + n, 0, '\(kind)', \(reference), now(), now(), \(reversed.map { "\($0) + n" } ?? "NULL")
        FROM generate_series(1, :rows) AS n
        """
    }

    private static let bought = entries(5_000_000, "purchase", "'purchase:' || 5500000 + n")

    private static let wallets = accounts(7_000_000, "'wallet:batch-' || n || ':paid'", "C")
    private static let debts = accounts(7_500_000, "'debt:batch-' || n", "D")

    private static func accounts(_ first: Int, _ code: String, _ side: String, postings: Int = 0) -> String {
        """
        INSERT INTO account (id, stripe, code, owner, currency, normal_side, seq)
        SELECT \(first) + n, 0, \(code), 'batch-' || n, 'COIN', '\(side)', \(postings)
        FROM generate_series(1, :rows) AS n
        """
    }

    /// A coin of each entry, between the issued coins and an account of the user.
    private static func postings(issued: String, user first: Int, _ side: String) -> String {
        """
        INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
        SELECT issued.id, issued.seq + n, 6000000 + n, 0, 1, issued.balance \(issued == "D" ? "+" : "-") n, 'COIN', '\(issued)'
        FROM account AS issued, generate_series(1, :rows) AS n WHERE issued.code = 'coins:issued/0'
        UNION ALL SELECT \(first) + n, 1, 6000000 + n, 0, 1, 1, 'COIN', '\(side)' FROM generate_series(1, :rows) AS n
        """
    }

    /// Accounts with 40 postings of another day and one, of ten coins, by the entry that is judged.
    private static func busyAccounts(_ first: Int, _ code: String, _ side: String, entries: Int) -> [String] {
        [
            accounts(first, code, side, postings: 41),
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT 5050000 + seq, 0, 'purchase', 'x', now(), now() - interval '1 day' FROM generate_series(1, 40) AS seq
            """,
            """
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
            SELECT \(first) + n, seq, CASE seq WHEN 41 THEN \(entries) + n ELSE 5050000 + seq END, 0, 10, 10, 'COIN', 'C'
            FROM generate_series(1, :rows) AS n, generate_series(1, 41) AS seq
            """,
        ]
    }
}

// MARK: - Purchases

extension JudgedRows {
    private static let purchases: [JudgedRows] = [
        JudgedRows("purchase", before: [bought], judged: purchase),
        JudgedRows("purchase_reversal", before: [bought, purchase, clawBack], judged: reversal(6_000_000, "10")),
        JudgedRows(
            "purchase_reversal", "that goes back", before: clawedBack + [clawBackReversal],
            judged: reversal(6_100_000, "-10")),
        JudgedRows(
            "payment_name", before: [purchase],
            judged: """
                INSERT INTO payment_name (imp_uid, gateway, merchant_uid, purchase_id)
                SELECT 'other-' || n, 'h', 'batch-' || n, 5500000 + n FROM generate_series(1, :rows) AS n
                """),
    ]

    private static let purchase = """
        INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency, coins,
            bonus_coins, paid_at, credited_at, journal_entry_id)
        SELECT 5500000 + n, 0, 'batch-' || n, 'credited', 'g', 'batch-' || n, 'batch-' || n, 'p', 100, 'KRW', 100, 0, now(),
            now(), 5000000 + n
        FROM generate_series(1, :rows) AS n
        """

    private static let clawBack = entries(
        6_000_000, "claw_back", "'purchase:' || 5500000 + n", reversing: 5_000_000)
    private static let clawBackReversal = entries(
        6_100_000, "claw_back_reversal", "'purchase:' || 5500000 + n", reversing: 6_000_000)

    /// Purchases of which ten coins went back.
    private static let clawedBack = [
        bought, purchase, clawBack, reversal(6_000_000, "10"), wentBack("refunded_amount = 10, refunded_coins = 10"),
    ]

    private static func wentBack(_ changes: String) -> String {
        "UPDATE purchase SET \(changes) WHERE id BETWEEN 5500001 AND 5500000 + :rows"
    }

    private static func reversal(_ entries: Int, _ coins: String, isTransfer: Bool = false) -> String {
        """
        INSERT INTO purchase_reversal (journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins, is_transfer)
        SELECT \(entries) + n, 5500000 + n, \(coins), \(coins), 0, 0, \(isTransfer) FROM generate_series(1, :rows) AS n
        """
    }
}

// MARK: - Lots and coins that come back

extension JudgedRows {
    private static let coins: [JudgedRows] = [
        JudgedRows("lot", before: [bought], judged: lot(5_700_000)),
        JudgedRows(
            "lot_movement",
            before: [lot(5_700_000), entries(6_000_000, "hold", "'hold:' || 5800000 + n")],
            judged: """
                INSERT INTO lot_movement (
                    lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, recorded_at, expired, breakage)
                SELECT 5700000 + n, 1, 0, 6000000 + n, 90, 10, 100, now(), 0, 0 FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "coin_return", before: usedLots(5_700_000, movements: 1) + [spend, spendReversal], judged: back(5_700_000)),
        JudgedRows(
            "coin_return", "into lots that moved often",
            before: usedLots(5_750_000, movements: 40) + [spend, spendReversal], judged: back(5_750_000)),
        JudgedRows(
            "coin_return", "of claw-backs, into lots that moved often",
            before: usedLots(5_760_000, movements: 40) + clawedBack + [clawBackReversal], judged: back(5_760_000)),
    ]

    private static func lot(_ first: Int, movements: Int = 0) -> String {
        """
        INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at, purchase_id,
            journal_entry_id, seq)
        SELECT \(first) + n, 0, 'batch-' || n, 'paid', 100, 100 - \(movements), 100, 100 - \(movements), 'KRW', now(),
            5500000 + n, 5000000 + n, \(movements)
        FROM generate_series(1, :rows) AS n
        """
    }

    private static let spend = entries(6_000_000, "spend", "'spend:' || 6000000 + n")
    private static let spendReversal = entries(
        6_100_000, "spend_reversal", "'spend:' || 6000000 + n", reversing: 6_000_000)

    /// Lots of which each movement took a coin, the one in the middle by the entry that is reversed.
    private static func usedLots(_ first: Int, movements: Int) -> [String] {
        let middle = (movements + 1) / 2
        return [
            lot(first, movements: movements),
            """
            INSERT INTO lot_movement (
                lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, recorded_at, expired, breakage)
            SELECT \(first) + n, seq, 0, CASE seq WHEN \(middle) THEN 6000000 + n ELSE 1 END, 100 - seq, 0, 100 - seq,
                now() + (seq - \(middle)) * interval '1 s', 0, 0
            FROM generate_series(1, :rows) AS n, generate_series(1, \(movements)) AS seq
            """,
        ]
    }

    private static func back(_ lots: Int) -> String {
        """
        INSERT INTO coin_return (journal_entry_id, lot_id, redemption_id, coins, amount)
        SELECT 6100000 + n, \(lots) + n, 6000000 + n, 1, 1 FROM generate_series(1, :rows) AS n
        """
    }
}

// MARK: - Holds

extension JudgedRows {
    private static let holds: [JudgedRows] = [
        JudgedRows("hold", before: [placed], judged: hold),
        JudgedRows("hold_lot", before: [placed, hold], judged: holdLot),
        JudgedRows(
            "hold_event", before: [hold, holdLot, entries(6_000_000, "capture", "'hold:' || 5800000 + n")],
            judged: """
                INSERT INTO hold_event (journal_entry_id, hold_id, captured, released, status)
                SELECT 6000000 + n, 5800000 + n, 3, 0, 'captured' FROM generate_series(1, :rows) AS n
                """),
    ]

    private static let placed = entries(6_000_000, "hold", "'hold:' || 5800000 + n")

    private static let hold = """
        INSERT INTO hold (id, stripe, user_id, status, coins, captured, released, placed_at, expires_at, journal_entry_id)
        SELECT 5800000 + n, 0, 'batch-' || n, 'open', 3, 0, 0, now(), now() + interval '1 day', 6000000 + n
        FROM generate_series(1, :rows) AS n
        """

    private static let holdLot = """
        INSERT INTO hold_lot (hold_id, place, lot_id, coins, held)
        SELECT 5800000 + n, 0, 5700000 + n, 3, 3 FROM generate_series(1, :rows) AS n
        """
}

// MARK: - Refunds and debts

extension JudgedRows {
    private static let refunds: [JudgedRows] = [
        JudgedRows(
            "refund", before: [purchase, entries(6_000_000, "refund_hold", "'refund:' || 5900000 + n")],
            judged: refund("'gateway', 'pending', NULL, NULL")),
        JudgedRows(
            "refund_decision",
            before: [
                purchase, refund("'gateway', 'pending', NULL, NULL"),
                entries(6_100_000, "refund_release", "'refund:' || 5900000 + n"),
            ],
            judged: """
                INSERT INTO refund_decision (journal_entry_id, refund_id, status, refusal)
                SELECT 6100000 + n, 5900000 + n, 'refused', 'x' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "refund_decision", "that takes a transfer back",
            before: [
                bought, purchase, entries(6_000_000, "refund", "'refund:' || 5900000 + n", reversing: 5_000_000),
                refund("'bank_transfer', 'approved', '{}', 6000000 + n"), finding("refunded_twice"),
                wentBack("refunded_amount = 10, refunded_coins = 10, transferred_amount = 10"),
                entries(6_100_000, "refund_reversal", "'refund:' || 5900000 + n", reversing: 6_000_000),
                reversal(6_100_000, "-10", isTransfer: true),
            ],
            judged: """
                INSERT INTO refund_decision (journal_entry_id, refund_id, status)
                SELECT 6100000 + n, 5900000 + n, 'reversed' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "debt_bank_payment", "of accounts with many postings",
            before: [entries(6_000_000, "debt_bank_payment", "'user:batch-' || n")]
                + busyAccounts(7_500_000, "'debt:batch-' || n", "D", entries: 6_000_000),
            judged: """
                INSERT INTO debt_bank_payment (journal_entry_id, user_id, coins, amount, paid_at, bank_reference)
                SELECT 6000000 + n, 'batch-' || n, 10, 100, now(), 'x' FROM generate_series(1, :rows) AS n
                """),
    ]

    /// Refunds of ten coins; with the values of method, status, taken, reversal_entry_id.
    private static func refund(_ values: String) -> String {
        """
        INSERT INTO refund (id, stripe, purchase_id, user_id, coins, bonus_coins, value, fee, amount, currency, explanation,
            believed_balance, journal_entry_id, reason, requested_at, next_attempt_at, method, status, taken,
            reversal_entry_id)
        SELECT 5900000 + n, 0, 5500000 + n, 'batch-' || n, 10, 0, 10, 0, 10, 'KRW', 'x', 100, 6000000 + n, 'x', now(), now(),
            \(values)
        FROM generate_series(1, :rows) AS n
        """
    }

    private static func finding(_ kind: String) -> String {
        """
        INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, amount, currency)
        SELECT ARRAY['\(kind)'], 'g', 'batch-' || n, 'batch-' || n, 100, 'KRW' FROM generate_series(1, :rows) AS n
        """
    }
}

// MARK: - Disputes

extension JudgedRows {
    private static let disputes: [JudgedRows] = [
        JudgedRows("dispute", before: [purchase], judged: dispute),
        JudgedRows(
            "dispute_decision", before: clawedBack + [dispute, finding("payment_disputed")],
            judged: decision("lost", 6_000_000)),
        JudgedRows(
            "dispute_decision", "that gives back", before: lost + [win] + givenBack, judged: decision("won", 6_100_000)),
        JudgedRows("dispute_win", before: lost, judged: win),
        JudgedRows(
            "coin_freeze",
            before: [purchase, entries(6_000_000, "dispute_hold", "'purchase:' || 5500000 + n"), dispute],
            judged: """
                INSERT INTO coin_freeze (journal_entry_id, purchase_id, act, coins, bonus_coins)
                SELECT 6000000 + n, 5500000 + n, 'hold', 1, 0 FROM generate_series(1, :rows) AS n
                """),
    ]

    private static let dispute = """
        INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
        SELECT 5950000 + n, 0, 5500000 + n, 'batch-' || n, now(), 'x', now() FROM generate_series(1, :rows) AS n
        """

    private static let lost =
        clawedBack + [
            dispute, finding("payment_disputed"), decision("lost", 6_000_000),
            "UPDATE dispute SET status = 'lost', decided_at = now() WHERE id BETWEEN 5950001 AND 5950000 + :rows",
        ]

    private static let givenBack =
        [clawBackReversal, reversal(6_100_000, "-10")]
        + busyAccounts(7_000_000, "'wallet:batch-' || n || ':paid'", "C", entries: 6_100_000)

    private static let win = """
        INSERT INTO dispute_win (dispute_id, resolved_at, recorded_at)
        SELECT 5950000 + n, now(), now() FROM generate_series(1, :rows) AS n
        """

    private static func decision(_ outcome: String, _ entries: Int) -> String {
        """
        INSERT INTO dispute_decision (
            dispute_id, outcome, decided_at, decided_by, reason, amount, journal_entry_id, recorded_at)
        SELECT 5950000 + n, '\(outcome)', now(), 'x', 'x', 10, \(entries) + n, now() FROM generate_series(1, :rows) AS n
        """
    }
}

// MARK: - Providers

extension JudgedRows {
    private static let providers: [JudgedRows] = [
        JudgedRows(
            "provider_terms",
            before: [
                terms("NULL"),
                """
                INSERT INTO account (id, stripe, code, owner, currency, normal_side)
                SELECT 7000000 + n, 0, 'payable:batch-' || n || '/0', 'batch-' || n, 'KRW', 'C'
                FROM generate_series(1, :rows) AS n
                """,
            ],
            judged: """
                INSERT INTO provider_terms (provider, share, role, withholding, set_by, product)
                SELECT 'batch-' || n, 5000, 'agent', 'none', 'x', 'p' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "provider_share",
            before: [terms("CASE n % 2 WHEN 0 THEN 'p' END"), entries(6_000_000, "capture", "'hold:' || n")],
            judged: share),
        JudgedRows(
            "provider_share", "that comes back",
            before: [
                terms("CASE n % 2 WHEN 0 THEN 'p' END"), share, back(5_700_000),
                entries(6_100_000, "capture_reversal", "'hold:' || n", reversing: 6_000_000),
            ],
            judged: """
                INSERT INTO provider_share (
                    journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at)
                SELECT 6100000 + n, 6000000 + n, 'batch-' || n, 0, 5200000 + n, 1, 1, now()
                FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "provider_repayment", before: [entries(6_000_000, "provider_repayment", "'provider:batch-' || n")],
            judged: """
                INSERT INTO provider_repayment (
                    journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at)
                SELECT 6000000 + n, 'batch-' || n, 0, 10, now(), 'x', now() FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "payout_entry",
            before: [
                entries(6_000_000, "payout", "'payout:5300000'"),
                """
                INSERT INTO payout (id, key, cut_off, proposed_by, status) OVERRIDING SYSTEM VALUE
                VALUES (5300000, 'batch', now(), 'x', 'paid')
                """,
                """
                INSERT INTO payout_part (payout_id, provider, stripe, amount)
                SELECT 5300000, 'batch-' || n, 0, 10 FROM generate_series(1, :rows) AS n
                """,
            ],
            judged: """
                INSERT INTO payout_entry (journal_entry_id, payout_id, provider, stripe, amount, tax)
                SELECT 6000000 + n, 5300000, 'batch-' || n, 0, 10, 0 FROM generate_series(1, :rows) AS n
                """),
    ]

    private static func terms(_ product: String) -> String {
        """
        INSERT INTO provider_terms (id, provider, share, role, withholding, set_by, set_at, product)
        OVERRIDING SYSTEM VALUE
        SELECT 5200000 + n, 'batch-' || n, 5000, 'agent', 'none', 'x', now(), \(product)
        FROM generate_series(1, :rows) AS n
        """
    }

    private static let share = """
        INSERT INTO provider_share (
            journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at, product)
        SELECT 6000000 + n, 6000000 + n, 'batch-' || n, 0, 5200000 + n, 10, 5, now(), CASE n % 2 WHEN 0 THEN 'p' END
        FROM generate_series(1, :rows) AS n
        """
}

// MARK: - The chain, events, settlements and adjustments

extension JudgedRows {
    private static let others: [JudgedRows] = [
        JudgedRows(
            "chain_link",
            judged: """
                INSERT INTO chain_link (
                    id, first_position, last_position, transaction_id, entry_id, previous_hash, hash, totals)
                SELECT last + n, last + n, last + n, '900000000', last + n, sha256('x'), sha256('x'), '{}'
                FROM (SELECT coalesce(max(id), 0) AS last FROM chain_link) AS before, generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "event",
            judged: """
                INSERT INTO event (seq, id, type)
                SELECT last + n, 6000000 + n, 'x'
                FROM (SELECT coalesce(max(seq), 0) AS last FROM event) AS before, generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "settlement_row",
            before: [
                purchase, entries(6_000_000, "settlement", "'purchase:' || 5500000 + n"), settlementFile,
                settlementRows("waiting"),
            ],
            judged: """
                UPDATE settlement_row SET status = 'settled', purchase_id = 5500000 + line, journal_entry_id = 6000000 + line,
                    settled_at = now()
                WHERE id BETWEEN 5400001 AND 5400000 + :rows
                """),
        JudgedRows(
            "settlement_dismissal", before: [settlementFile, settlementRows("unmatched")],
            judged: """
                INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by)
                SELECT 5400000 + n, 'batch-' || n, 'x', 'x' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "settlement_dismissal_check",
            before: [
                settlementFile, settlementRows("unmatched"),
                """
                INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by)
                SELECT 5400000 + n, 'batch-' || n, 'x', 'x' FROM generate_series(1, :rows) AS n
                """,
            ],
            judged: """
                INSERT INTO settlement_dismissal_check (row_id, payment, checked_by)
                SELECT 5400000 + n, 'batch-' || n, 'y' FROM generate_series(1, :rows) AS n
                """),
        JudgedRows(
            "adjustment_cohort",
            judged: """
                INSERT INTO adjustment_cohort (
                    adjustment_id, sold_in, purchases, sold, refunded, used, expired, deferred, target)
                SELECT 5100000 + n, '2026-01', 1, 0, 0, 0, 0, 0, 0 FROM generate_series(1, :rows) AS n
                """),
    ]

    private static let settlementFile = """
        INSERT INTO settlement_file (id, sha256, name, imported_by) OVERRIDING SYSTEM VALUE
        VALUES (5400000, sha256('batch'), 'x', 'x')
        """

    private static func settlementRows(_ status: String) -> String {
        """
        INSERT INTO settlement_row (
            id, file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status)
        OVERRIDING SYSTEM VALUE
        SELECT 5400000 + n, 5400000, n, 'batch-' || n, 100, 0, 0, 100, '2026-01-01', now(), 1, '\(status)'
        FROM generate_series(1, :rows) AS n
        """
    }
}
