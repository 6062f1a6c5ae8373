package import CivilTime
package import Foundation
import Postgres

/// Debits and credits by day and kind of account, by the time at which entries are effective.
///
/// They are added up after entries are committed, so commits do not become slower, and a page of a year reads about as many
/// rows as there are days and accounts, and no posting. The primary key of `account_day` serves it.
package struct AccountDays: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The sums of a kind of account before a period and in it.
    package struct Totals: Sendable, Equatable {
        package let account: AccountClass
        package let opening: ChainTotal
        package let moved: ChainTotal
    }

    /// The sums of a kind of account on a day.
    package struct DayTotals: Sendable, Equatable {
        package let day: CivilDate
        package let account: AccountClass
        package let moved: ChainTotal
    }

    /// The sums of one moment.
    package struct Sums: Sendable, Equatable {
        /// Of each kind of account before a period and in it.
        package let totals: [Totals]
        /// Of the kinds of accounts that were asked for, on each day of the period on which they moved, in order.
        package let days: [DayTotals]
        /// Whether entries are missing that should be in the sums by now.
        package let isBehind: Bool
    }

    // MARK: - Adding up

    /// How far the sums are after ``addUp(in:)``.
    package enum Progress: Sendable, Equatable {
        /// Each complete entry is in them.
        case complete
        /// There may be more entries.
        case more
        /// Somebody else adds entries now, so nothing was done.
        case busy
    }

    /// Adds a page of entries that are complete and not in the sums yet.
    ///
    /// An entry is complete when no transaction still runs that could write an entry before it. Several processes can do
    /// this at the same time; each entry is added once.
    ///
    /// It waits neither for another one that adds nor for a standby, because pages of people call it. Its commit need not be
    /// durable: the sums and how far they are get lost together, and are added up again.
    ///
    /// - Parameter timeZone: of days. The sums of each time zone are kept apart, so another one begins anew.
    package func addUp(in timeZone: TimeZone) async throws(LedgerError) -> Progress {
        try await reading {
            try await pools.reads.withConnection { connection -> Progress in
                if let progress = try await Self.addPage(in: timeZone, on: connection) { return progress }
                // Committed before its entries are added: for a row that is not, others would wait as long as that takes.
                try await connection.execute(Pools.beginForPage)
                _ = try await connection.run(Self.begin(timeZone))
                try await connection.execute("COMMIT")
                return try await Self.addPage(in: timeZone, on: connection) ?? .busy
            }
        }
    }

    /// Adds a page; nil: the time zone has not begun, or somebody else adds entries now.
    private static func addPage(
        in timeZone: TimeZone, on connection: PostgresConnection
    ) async throws -> Progress? {
        try await connection.execute(Pools.beginForPage)
        try await ChainReader.prepare(connection)
        guard let start = try await connection.run(lockProgress(of: timeZone)) else {
            try await connection.execute("ROLLBACK")
            return nil
        }
        // A statement of its own before the entries, as for the chain.
        let horizon = try await connection.run(ChainHorizon.now)
        let entries = try await ChainReader(connection: connection).page(
            after: start, through: .before(transaction: horizon.firstRunningID))
        if let end = entries.last {
            _ = try await connection.run(add(sums(of: entries, in: timeZone), in: timeZone))
            _ = try await connection.run(setProgress(end.position, of: timeZone))
        }
        try await connection.execute("COMMIT")
        return entries.count == ChainReader.pageSize ? .more : .complete
    }

    struct Place: Hashable {
        let day: Int64
        let account: AccountClass
    }

    /// The sums of entries by day and kind of account.
    static func sums(of entries: [ChainEntry], in timeZone: TimeZone) -> [Place: ChainTotal] {
        var sums: [Place: ChainTotal] = [:]
        for entry in entries {
            let day = CivilDate(of: Date(microsecondsSince1970: entry.effectiveAt), in: timeZone).daysSince1970
            for posting in entry.postings {
                sums[Place(day: day, account: posting.classification), default: ChainTotal()].add(
                    posting.amount, posting.side)
            }
        }
        return sums
    }

    // MARK: - Reading

    /// Adds up what is new, if that is possible now, and reads the sums of one moment.
    ///
    /// Sums that can't be added up are read as they are.
    ///
    /// - Parameters:
    ///   - accounts: the kinds of accounts whose days are read.
    ///   - first: the first day.
    ///   - end: the day after the last one.
    ///   - now: the time. If all complete entries were added, those of the last ten seconds may be missing without
    ///     ``Sums/isBehind``, because others may always be committed meanwhile; else none may.
    package func upToDate(
        daysOf accounts: [String] = [], from first: CivilDate, to end: CivilDate, in timeZone: TimeZone, at now: Date
    ) async throws(LedgerError) -> Sums {
        let isAdded: Bool
        do { isAdded = try await addUp(in: timeZone) == .complete } catch { isAdded = false }
        return try await sums(
            daysOf: accounts, from: first, to: end, in: timeZone, missing: isAdded ? now.addingTimeInterval(-10) : now)
    }

    /// The sums of one moment.
    ///
    /// - Parameter moment: the sums are behind if an entry that was recorded before it is missing.
    func sums(
        daysOf accounts: [String] = [], from first: CivilDate, to end: CivilDate, in timeZone: TimeZone,
        missing moment: Date
    ) async throws(LedgerError) -> Sums {
        try await reading {
            try await pools.reads.withConnection { connection in
                try await connection.transaction(mode: "ISOLATION LEVEL REPEATABLE READ READ ONLY") { connection in
                    let (totals, days, isBehind) = try connection.pipeline(
                        Self.totals(from: first, to: end, in: timeZone),
                        Self.days(of: accounts, from: first, to: end, in: timeZone),
                        Self.isBehind(in: timeZone, missing: moment))
                    return Sums(totals: totals, days: days, isBehind: isBehind)
                }
            }
        }
    }

    /// The sums of each kind of account before a period of whole days and in it.
    ///
    /// - Parameters:
    ///   - first: the first day.
    ///   - end: the day after the last one.
    package func totals(
        from first: CivilDate, to end: CivilDate, in timeZone: TimeZone
    ) async throws(LedgerError) -> [Totals] {
        try await reading { try await pools.reads.run(Self.totals(from: first, to: end, in: timeZone)) }
    }

    /// The sums of these kinds of accounts on each day of a period on which they moved, in order.
    package func days(
        of accounts: [String], from first: CivilDate, to end: CivilDate, in timeZone: TimeZone
    ) async throws(LedgerError) -> [DayTotals] {
        try await reading { try await pools.reads.run(Self.days(of: accounts, from: first, to: end, in: timeZone)) }
    }
}

extension AccountDays {
    /// Begins a time zone that has not begun.
    ///
    /// It looks first: the conflict with a row that another transaction has changed would wait for its end.
    private static func begin(_ timeZone: TimeZone) -> PostgresQuery<Int> {
        let start = ChainPosition.start
        return .affected(
            """
            INSERT INTO account_day_progress (zone, transaction_id, entry_id)
            SELECT $1::text, $2::xid8, $3::int8
            WHERE NOT EXISTS (SELECT FROM account_day_progress WHERE zone = $1::text)
            ON CONFLICT (zone) DO NOTHING
            """, [timeZone.identifier, String(start.transactionID), start.entryID])
    }

    /// The last entry that is in the sums; nil: there is none, or another transaction has the lock.
    private static func lockProgress(of timeZone: TimeZone) -> PostgresQuery<ChainPosition?> {
        .first(
            """
            SELECT transaction_id::text::bigint, entry_id FROM account_day_progress WHERE zone = $1
            FOR UPDATE SKIP LOCKED
            """, [timeZone.identifier]
        ) { row in ChainPosition(transactionID: try row[0], entryID: try row[1]) }
    }

    /// Whether the first entry that is not in the sums was recorded before a moment.
    ///
    /// The index `journal_entry_in_order` serves it.
    private static func isBehind(in timeZone: TimeZone, missing moment: Date) -> PostgresQuery<Bool> {
        let start = ChainPosition.start
        return .one(
            """
            SELECT coalesce((
                SELECT entry.recorded_at < $4 FROM journal_entry AS entry
                WHERE (entry.transaction_id, entry.id)
                    > (coalesce(progress.transaction_id, $2::xid8), coalesce(progress.entry_id, $3))
                ORDER BY entry.transaction_id, entry.id LIMIT 1), false)
            FROM (SELECT $1::text AS zone) AS asked LEFT JOIN account_day_progress AS progress USING (zone)
            """, [timeZone.identifier, String(start.transactionID), start.entryID, moment]
        ) { row in try row[0] }
    }

    private static func setProgress(_ position: ChainPosition, of timeZone: TimeZone) -> PostgresQuery<Int> {
        .affected(
            "UPDATE account_day_progress SET transaction_id = $2::xid8, entry_id = $3 WHERE zone = $1",
            [timeZone.identifier, String(position.transactionID), position.entryID])
    }

    private static func add(_ sums: [Place: ChainTotal], in timeZone: TimeZone) -> PostgresQuery<Int> {
        let places = Array(sums)
        return .affected(
            """
            INSERT INTO account_day (zone, class, currency, day, debits, credits)
            SELECT $1, added.class, added.currency, added.day::date, added.debits, added.credits
            FROM unnest($2::text[], $3::text[], $4::text[], $5::int8[], $6::int8[])
                AS added (class, currency, day, debits, credits)
            ON CONFLICT (zone, class, currency, day) DO UPDATE
                SET debits = account_day.debits + excluded.debits, credits = account_day.credits + excluded.credits
            """,
            [
                timeZone.identifier, places.map(\.key.account.name), places.map(\.key.account.currency),
                places.map { CivilDate(daysSince1970: $0.key.day).description }, places.map(\.value.debits),
                places.map(\.value.credits),
            ])
    }

    private static func totals(
        from first: CivilDate, to end: CivilDate, in timeZone: TimeZone
    ) -> PostgresQuery<[Totals]> {
        func sum(_ column: String, _ condition: String) -> String {
            "coalesce(sum(\(column)) FILTER (WHERE day \(condition) $2::date), 0)::bigint"
        }
        return PostgresQuery(
            """
            SELECT class, currency, \(sum("debits", "<")), \(sum("credits", "<")),
                \(sum("debits", ">=")), \(sum("credits", ">="))
            FROM account_day WHERE zone = $1 AND day < $3::date
            GROUP BY class, currency ORDER BY class, currency
            """, [timeZone.identifier, first.description, end.description]
        ) { row in
            Totals(
                account: AccountClass(name: try row[0], currency: try row[1]),
                opening: ChainTotal(debits: try row[2], credits: try row[3]),
                moved: ChainTotal(debits: try row[4], credits: try row[5]))
        }
    }

    private static func days(
        of accounts: [String], from first: CivilDate, to end: CivilDate, in timeZone: TimeZone
    ) -> PostgresQuery<[DayTotals]> {
        PostgresQuery(
            """
            SELECT (day - date '1970-01-01')::bigint, class, currency, debits, credits
            FROM account_day WHERE zone = $1 AND class = ANY($2) AND day >= $3::date AND day < $4::date
            ORDER BY day, class, currency
            """, [timeZone.identifier, accounts, first.description, end.description]
        ) { row in
            let day: Int64 = try row[0]
            return DayTotals(
                day: CivilDate(daysSince1970: day),
                account: AccountClass(name: try row[1], currency: try row[2]),
                moved: ChainTotal(debits: try row[3], credits: try row[4]))
        }
    }
}
