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

extension StatementLine {
    /// The lines of a user's newest entries, newest first: of one entry more than `limit` at least, to see whether there
    /// are more.
    ///
    /// Each account gives its newest, by key, and the few that come of it are put in order: the work does not grow with
    /// the length of the history. An entry posts once to an account at most, so its lines are all there.
    ///
    /// - Parameter end: only entries that were recorded before it.
    static func newest(
        of user: UserID, before end: Date, after cursor: StatementCursor?, limit: Int
    ) -> PostgresQuery<[StatementLine]> {
        PostgresQuery(
            """
            SELECT asked.place, posting.seq,
                CASE WHEN posting.side = account.normal_side THEN posting.amount ELSE -posting.amount END,
                posting.balance, entry.id, entry.kind, entry.reference, entry.reason, entry.effective_at,
                entry.recorded_at
            FROM unnest($1::text[], $2::int8[]) WITH ORDINALITY AS asked (code, before, place)
            JOIN account ON account.code = asked.code
            CROSS JOIN LATERAL (
                SELECT * FROM posting
                WHERE posting.account_id = account.id AND posting.seq < asked.before
                    AND posting.seq <= CASE WHEN $4 THEN account.seq
                        ELSE posting_seq_as_of(account.id, $5::timestamptz - interval '1 microsecond') END
                ORDER BY posting.seq DESC
                LIMIT $3
            ) AS posting
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            ORDER BY entry.recorded_at DESC, entry.id DESC, asked.place
            """,
            [
                UserAccount.allCases.map { AccountCode.user($0, of: user).rawValue },
                UserAccount.allCases.map { cursor?.seqByAccount[$0.statementName] ?? Int64.max },
                Int64(limit + 1), end >= .endOfHistory, end,
            ],
            row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> StatementLine {
        let place = try row.decode(0, as: Int64.self)
        guard (1...Int64(UserAccount.allCases.count)).contains(place) else {
            throw UnreadableColumn(column: 0, type: "UserAccount")
        }
        let account = UserAccount.allCases[Int(place) - 1]
        return StatementLine(
            account: account,
            movement: StatementEntry.Movement(
                account: account.statementName, seq: try row[1], coins: try row[2], balance: try row[3]),
            journalEntryID: try row[4], kind: try row[5], reference: try row[6], reason: try row[7],
            effectiveAt: try row[8], recordedAt: try row[9])
    }
}
