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

    init(_ table: String, _ note: String? = nil, before: [String] = [], judged statement: String) {
        self.table = table
        self.note = note
        self.before = before
        self.statement = statement
    }

    static let all = journal + purchases + crediting + coins + holds + refunds + disputes + providers + others
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
    static func entries(
        _ first: Int, _ kind: String, _ reference: String, reversing reversed: Int? = nil
    ) -> String {
        """
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, reverses)
        SELECT \(first) + n, 0, '\(kind)', \(reference), now(), now(), \(reversed.map { "\($0) + n" } ?? "NULL")
        FROM generate_series(1, :rows) AS n
        """
    }

    static let bought = entries(5_000_000, "purchase", "'purchase:' || 5500000 + n")

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
    static func busyAccounts(_ first: Int, _ code: String, _ side: String, entries: Int) -> [String] {
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
