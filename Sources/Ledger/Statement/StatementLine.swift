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
    /// For each request, the lines of the user's newest entries, newest first.
    ///
    /// They cover at least its limit + 1 entries, to show whether there are more.
    ///
    /// The newest lines of each account are found by an index and then sorted, so the cost does not grow with the
    /// length of the history. An entry posts at most once to an account, so all its lines are included.
    static func newest(_ requests: [StatementPageRequest]) -> PostgresQuery<[(request: Int, line: StatementLine)]> {
        var parameters: PostgresParameters = [
            requests.map(\.user.rawValue), requests.map { Int64($0.limit + 1) },
            requests.map { $0.end >= .endOfHistory }, requests.map(\.end),
        ]
        for account in UserAccount.allCases {
            parameters.append(requests.map { $0.cursor?.seqByAccount[account.statementName] ?? Int64.max })
        }
        return PostgresQuery(newest, parameters) { [count = requests.count] row in
            try decode(row, requests: count)
        }
    }

    /// `$5` and what follows: before which number each account of the user goes on.
    private static let newest = """
        SELECT asked.place, account.number, posting.seq,
            CASE WHEN posting.side = account.normal_side THEN posting.amount ELSE -posting.amount END,
            posting.balance, entry.id, entry.kind, entry.reference, entry.reason, entry.effective_at,
            entry.recorded_at
        FROM unnest(
            $1::text[], $2::int8[], $3::bool[], $4::timestamptz[],
            \(UserAccount.allCases.indices.map { "$\($0 + 5)::int8[]" }.joined(separator: ", ")))
            WITH ORDINALITY AS asked (owner, most, is_open, until,
                \(UserAccount.allCases.map(\.statementName).joined(separator: ", ")), place)
        CROSS JOIN LATERAL (
            SELECT account.id, account.seq, account.normal_side,
                \(UserAccount.inSQL { account, place in "\(place)::int8" }) AS number,
                \(UserAccount.inSQL { account, place in "asked.\(account.statementName)" }) AS before
            FROM account WHERE account.owner = asked.owner AND \(AccountSQL.isOfUser)
            OFFSET 0
        ) AS account
        CROSS JOIN LATERAL (
            SELECT * FROM posting
            WHERE posting.account_id = account.id AND posting.seq < account.before
                AND posting.seq <= CASE WHEN asked.is_open THEN account.seq
                    ELSE posting_seq_as_of(account.id, asked.until - interval '1 microsecond') END
            ORDER BY posting.seq DESC
            LIMIT asked.most
        ) AS posting
        JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
        ORDER BY asked.place, entry.recorded_at DESC, entry.id DESC, account.number
        """

    private static func decode(
        _ row: borrowing PostgresRow, requests count: Int
    ) throws -> (request: Int, line: StatementLine) {
        let (request, account) = (try row.decode(0, as: Int.self) - 1, try row.decode(1, as: Int.self))
        guard (0..<count).contains(request), UserAccount.allCases.indices.contains(account) else {
            throw UnreadableColumn(column: 0, type: "UserAccount")
        }
        return (request, try StatementLine(row, of: UserAccount.allCases[account]))
    }

    private init(_ row: borrowing PostgresRow, of account: UserAccount) throws {
        self.init(
            account: account,
            movement: StatementEntry.Movement(
                account: account.statementName, seq: try row[2], coins: try row[3], balance: try row[4]),
            journalEntryID: try row[5], kind: try row[6], reference: try row[7], reason: try row[8],
            effectiveAt: try row[9], recordedAt: try row[10])
    }

    /// The requested lines, by request.
    static func newest(_ requests: [StatementPageRequest], from pool: PostgresPool) async throws -> [[StatementLine]] {
        var lines = requests.map { _ in [StatementLine]() }
        for row in try await pool.run(newest(requests)) { lines[row.request].append(row.line) }
        return lines
    }
}
