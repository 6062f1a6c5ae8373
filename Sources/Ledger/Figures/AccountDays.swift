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

    // MARK: - Adding up

    /// Adds a page of entries that are complete and not in the sums yet.
    ///
    /// An entry is complete when no transaction still runs that could write an entry before it. Several processes can do
    /// this at the same time; each entry is added once.
    ///
    /// - Parameter timeZone: of days. The sums of each time zone are kept apart, so another one begins anew.
    /// - Returns: whether there may be more.
    package func addUp(in timeZone: TimeZone) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.work.withConnection { connection in
                try await connection.execute("BEGIN")
                try await ChainReader.prepare(connection)
                _ = try await connection.run(Self.begin(timeZone))
                let start = try await connection.run(Self.lockProgress(of: timeZone))
                // A statement of its own before the entries, as for the chain.
                let horizon = try await connection.run(ChainHorizon.now)
                let entries = try await ChainReader(connection: connection).page(
                    after: start, through: .before(transaction: horizon.firstRunningID))
                if let end = entries.last {
                    _ = try await connection.run(Self.add(Self.sums(of: entries, in: timeZone), in: timeZone))
                    _ = try await connection.run(Self.setProgress(end.position, of: timeZone))
                }
                try await connection.execute("COMMIT")
                return entries.count == ChainReader.pageSize
            }
        }
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
    private static func begin(_ timeZone: TimeZone) -> PostgresQuery<Int> {
        let start = ChainPosition.start
        return .affected(
            """
            INSERT INTO account_day_progress (zone, transaction_id, entry_id) VALUES ($1, $2::xid8, $3)
            ON CONFLICT (zone) DO NOTHING
            """, [timeZone.identifier, String(start.transactionID), start.entryID])
    }

    /// The last entry that is in the sums; others wait until this transaction ends.
    private static func lockProgress(of timeZone: TimeZone) -> PostgresQuery<ChainPosition> {
        .one(
            """
            SELECT transaction_id::text::bigint, entry_id FROM account_day_progress WHERE zone = $1 FOR UPDATE
            """, [timeZone.identifier]
        ) { row in ChainPosition(transactionID: try row[0], entryID: try row[1]) }
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
