public import Foundation
import Postgres

/// One movement of a user's coins.
public struct StatementEntry: Sendable, Equatable {
    /// The account of the user that it moved: `paid`, `bonus`, `held_paid`, `held_bonus`, `debt`.
    public let account: String
    /// Its place among that account's movements.
    public let seq: Int64
    /// The journal entry it is part of.
    public let journalEntryID: Int64
    /// Which act: `purchase`, `grant`.
    public let kind: String
    /// What it is about: `purchase:17`.
    public let reference: String
    /// Coins, positive when the account gained.
    public let coins: Int64
    /// The account's balance after it.
    public let balance: Int64
    /// When it happened.
    public let effectiveAt: Date
    /// When it was recorded.
    public let recordedAt: Date
}

/// Where a user's statement goes on: in each account, before this number.
///
/// Ids and times alone can't say it: a batch gives many movements one time, and ids come in blocks. An account's
/// numbers have neither trouble.
public struct StatementCursor: Sendable, Codable, Equatable {
    /// The lowest number already shown, by account.
    public internal(set) var seqByAccount: [String: Int64]
}

extension StatementEntry {
    /// A user's movements, newest first: one more than `limit`, to see whether there are more.
    ///
    /// Each account gives its newest, by key, and the few that come of it are put in order: the work does not grow with
    /// the length of the history.
    static func statement(
        of user: UserID, after cursor: StatementCursor?, limit: Int
    ) -> PostgresQuery<
        [StatementEntry]
    > {
        PostgresQuery(
            """
            SELECT asked.name, posting.seq, entry.id, entry.kind, entry.reference,
                CASE WHEN posting.side = account.normal_side THEN posting.amount ELSE -posting.amount END,
                posting.balance, entry.effective_at, entry.recorded_at
            FROM unnest($1::text[], $2::text[], $3::int8[]) AS asked (name, code, before)
            JOIN account ON account.code = asked.code
            CROSS JOIN LATERAL (
                SELECT * FROM posting
                WHERE posting.account_id = account.id AND posting.seq < asked.before
                ORDER BY posting.seq DESC
                LIMIT $4
            ) AS posting
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            ORDER BY entry.recorded_at DESC, entry.id DESC, asked.name, posting.seq DESC
            LIMIT $4
            """,
            [
                UserAccount.allCases.map(\.statementName),
                UserAccount.allCases.map { AccountCode.user($0, of: user).rawValue },
                UserAccount.allCases.map { cursor?.seqByAccount[$0.statementName] ?? Int64.max },
                Int64(limit + 1),
            ],
            row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> StatementEntry {
        StatementEntry(
            account: try row.decode(0, as: String.self),
            seq: try row.decode(1, as: Int64.self),
            journalEntryID: try row.decode(2, as: Int64.self),
            kind: try row.decode(3, as: String.self),
            reference: try row.decode(4, as: String.self),
            coins: try row.decode(5, as: Int64.self),
            balance: try row.decode(6, as: Int64.self),
            effectiveAt: try row.decode(7, as: Date.self),
            recordedAt: try row.decode(8, as: Date.self))
    }
}

extension StatementCursor {
    /// The cursor after these entries, which followed `earlier`.
    init(after entries: [StatementEntry], following earlier: StatementCursor?) {
        seqByAccount = earlier?.seqByAccount ?? [:]
        for entry in entries { seqByAccount[entry.account] = entry.seq }
    }
}

extension UserAccount {
    /// The account's name in statements.
    var statementName: String {
        switch self {
        case .paid: "paid"
        case .bonus: "bonus"
        case .heldPaid: "held_paid"
        case .heldBonus: "held_bonus"
        case .debt: "debt"
        }
    }
}
