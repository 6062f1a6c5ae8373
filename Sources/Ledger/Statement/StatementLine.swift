import Foundation
import Postgres

/// A posting to one of a user's accounts, with its journal entry.
struct StatementLine: Sendable {
    let account: UserAccount
    let movement: StatementEntry.Movement
    let journalEntryID: Int64
    let kind: String
    let reference: String
    let reason: String?
    let effectiveAt: Date
    let recordedAt: Date
}

/// A request for a page of a user's statement.
struct StatementPageRequest: Sendable {
    let user: UserID
    /// Only entries that were recorded before this moment.
    let end: Date
    let cursor: StatementCursor?
    let limit: Int
}

extension StatementLine {
    /// The query's parameters for one account.
    private struct Asked {
        let code: String
        let before: Int64
        let most: Int64
        let isOpen: Bool
        let end: Date
    }

    /// For each request, the lines of the user's newest entries, newest first.
    ///
    /// They cover at least its limit + 1 entries, to show whether there are more.
    ///
    /// The newest lines of each account are found by an index and then sorted, so the cost does not grow with the
    /// length of the history. An entry posts at most once to an account, so all its lines are included.
    static func newest(_ requests: [StatementPageRequest]) -> PostgresQuery<[(request: Int, line: StatementLine)]> {
        let asked = requests.flatMap { request in
            UserAccount.allCases.map { account in
                Asked(
                    code: AccountCode.user(account, of: request.user).rawValue,
                    before: request.cursor?.seqByAccount[account.statementName] ?? .max,
                    most: Int64(request.limit + 1), isOpen: request.end >= .endOfHistory, end: request.end)
            }
        }
        return PostgresQuery(
            """
            SELECT asked.place, posting.seq,
                CASE WHEN posting.side = account.normal_side THEN posting.amount ELSE -posting.amount END,
                posting.balance, entry.id, entry.kind, entry.reference, entry.reason, entry.effective_at,
                entry.recorded_at
            FROM unnest($1::text[], $2::int8[], $3::int8[], $4::bool[], $5::timestamptz[])
                WITH ORDINALITY AS asked (code, before, most, is_open, until, place)
            JOIN account ON account.code = asked.code
            CROSS JOIN LATERAL (
                SELECT * FROM posting
                WHERE posting.account_id = account.id AND posting.seq < asked.before
                    AND posting.seq <= CASE WHEN asked.is_open THEN account.seq
                        ELSE posting_seq_as_of(account.id, asked.until - interval '1 microsecond') END
                ORDER BY posting.seq DESC
                LIMIT asked.most
            ) AS posting
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            ORDER BY (asked.place - 1) / $6, entry.recorded_at DESC, entry.id DESC, asked.place
            """,
            [
                asked.map(\.code), asked.map(\.before), asked.map(\.most), asked.map(\.isOpen), asked.map(\.end),
                Int64(UserAccount.allCases.count),
            ]
        ) { [count = asked.count] row in try decode(row, accounts: count) }
    }

    private static func decode(
        _ row: borrowing PostgresRow, accounts count: Int
    ) throws -> (request: Int, line: StatementLine) {
        let place = try row.decode(0, as: Int64.self)
        guard (1...Int64(count)).contains(place) else { throw UnreadableColumn(column: 0, type: "UserAccount") }
        let (request, account) = (Int(place) - 1).quotientAndRemainder(dividingBy: UserAccount.allCases.count)
        return (request, try StatementLine(row, of: UserAccount.allCases[account]))
    }

    private init(_ row: borrowing PostgresRow, of account: UserAccount) throws {
        self.init(
            account: account,
            movement: StatementEntry.Movement(
                account: account.statementName, seq: try row[1], coins: try row[2], balance: try row[3]),
            journalEntryID: try row[4], kind: try row[5], reference: try row[6], reason: try row[7],
            effectiveAt: try row[8], recordedAt: try row[9])
    }

    /// The requested lines, by request.
    static func newest(_ requests: [StatementPageRequest], from pool: PostgresPool) async throws -> [[StatementLine]] {
        var lines = requests.map { _ in [StatementLine]() }
        for row in try await pool.run(newest(requests)) { lines[row.request].append(row.line) }
        return lines
    }
}
