import Postgres

extension Report {
    /// All postings of the entries of a period.
    package static let journal = Report(
        "journal", .period,
        Words("Journal", "분개장", about: "every posting", "모든 전기 내역"),
        rows: { JournalRows($0) },
        prepare: { request, connection, _ in .success(try await request.withPrices(on: connection)) })
}

/// All postings of the entries that are effective in a period, entry by entry.
///
/// Rows are ordered by entry id, then account, so a snapshot always gives the same bytes. No index has this order, and
/// sorting all postings would take as long as reading them. But an entry's postings are close together on disk, and a
/// block-range index finds those of a span of ids. So the rows are read in spans, and each span is sorted in memory.
/// Ids do not have the order of commits, but that does not matter: the snapshot decides what is visible, and spans
/// continue until no entry is left.
struct JournalRows: ExportRows {
    /// The number of ids per statement.
    ///
    /// Entries share the ids with purchases, lots and accounts.
    private static let span: Int64 = 1 << 15

    private let isOfPeriod: String
    private let hasConditions: Bool
    private var bounds = Bounds.unknown
    private var nextID: Int64 = 0
    private(set) var progress: Double? = 0

    /// The lowest and highest id of the period's entries.
    private enum Bounds {
        case unknown
        case none
        case ids(first: Int64, last: Int64)
    }

    init(_ request: ExportRequest) {
        isOfPeriod = request.condition("effective_at", recorded: "recorded_at")
        hasConditions = request.period != ExportPeriod(from: nil, to: nil) || request.asOf != nil
    }

    // Without statistics the planner might read a whole table for each span.
    let settings = ["enable_seqscan = off", "work_mem = '32MB'"]

    /// The indexes of the columns that the accounting formats need.
    enum Place {
        static let entry = 0
        static let kind = 1
        static let reference = 2
        static let reason = 3
        static let effectiveAt = 4
        static let recordedAt = 5
        static let reverses = 6
        static let lateFor = 7
        static let account = 8
        static let currency = 11
        static let debit = 12
        static let credit = 13
        static let accountID = 16
    }

    let columns = Self.entryColumns + Self.postingColumns
    let headColumns = Self.entryColumns.count

    private static let entryColumns = [
        Column("entry", .id, "entry.id"),
        Column("kind", .text, "entry.kind"),
        Column("reference", .text, "entry.reference"),
        Column("reason", .text, "entry.reason"),
        Column("effective_at", .time, "entry.effective_at"),
        Column("recorded_at", .time, "entry.recorded_at"),
        Column("reverses", .id, "entry.reverses"),
        Column("late_for", .time, "entry.late_for"),
    ]

    private static let postingColumns = [
        Column("account", .text, "account.name"),
        Column("stripe", .integer, "posting.stripe"),
        Column("seq", .integer, "posting.seq", empty: "0"),
        Column("currency", .text, "posting.currency"),
        Column("debit", .integer, "CASE posting.side WHEN 'D' THEN posting.amount END", total: .column("currency")),
        Column("credit", .integer, "CASE posting.side WHEN 'C' THEN posting.amount END", total: .column("currency")),
        Column("balance", .integer, "posting.balance"),
        Column("owner", .text, "account.owner"),
        Column("account_id", .id, "posting.account_id", empty: "0", isShown: false),
    ]

    mutating func next(on connection: PostgresConnection) async throws -> String? {
        if case .unknown = bounds { bounds = try await findBounds(on: connection) }
        guard case .ids(let lowest, let highest) = bounds,
            let first = try await firstEntry(from: max(nextID, lowest), to: highest, on: connection)
        else {
            progress = 1
            return nil
        }
        nextID = first + Self.span
        progress = min(1, Double(nextID - lowest) / Double(highest - lowest + 1))
        return statement(from: first, to: min(nextID - 1, highest))
    }

    private func findBounds(on connection: PostgresConnection) async throws -> Bounds {
        // `+ 0`, because for `min(id)` PostgreSQL would scan the index of ids past all entries outside the period.
        let id = hasConditions ? "id + 0" : "id"
        return try await connection.run(
            .one("SELECT min(\(id)), max(\(id)) FROM journal_entry WHERE \(isOfPeriod)") { row in
                guard let first = try row.decode(0, as: Int64?.self), let last = try row.decode(1, as: Int64?.self)
                else { return .none }
                return .ids(first: first, last: last)
            })
    }

    /// The next entry of the period.
    ///
    /// The ids may have large gaps.
    private func firstEntry(
        from first: Int64, to last: Int64, on connection: PostgresConnection
    ) async throws -> Int64? {
        try await connection.run(
            .first(
                "SELECT id FROM journal_entry WHERE id BETWEEN $1 AND $2 AND \(isOfPeriod) ORDER BY id LIMIT 1",
                [first, last]))
    }

    /// The SQL for the entries of a span, each followed by its postings.
    ///
    /// Postings do not repeat their entry's columns, which saves a third of the database's work. Their accounts are
    /// looked up row by row (`OFFSET 0` prevents other joins), and PostgreSQL caches the latest look-ups.
    private func statement(from first: Int64, to last: Int64) -> String {
        let span = "BETWEEN \(first) AND \(last)"
        return """
            (SELECT \(Self.entryColumns.selection), \(Self.postingColumns.emptySelection)
            FROM journal_entry AS entry WHERE id \(span) AND \(isOfPeriod))
            UNION ALL
            (SELECT posting.journal_entry_id, \(Self.entryColumns.dropFirst().emptySelection),
                \(Self.postingColumns.selection)
            FROM (
                SELECT * FROM posting WHERE journal_entry_id \(span)
                ORDER BY journal_entry_id, account_id, seq OFFSET 0
            ) AS posting
            CROSS JOIN LATERAL (
                SELECT \(AccountSQL.name) AS name, owner FROM account WHERE id = posting.account_id OFFSET 0
            ) AS account
            ORDER BY posting.journal_entry_id, posting.account_id, posting.seq)
            ORDER BY entry, account_id, seq
            """
    }
}
