import Foundation
import Postgres

/// How a user came to owe coins, and what was written off of them.
struct DebtHistory: Sendable, Equatable {
    /// Coins that were written off and are not owed again.
    private(set) var writtenOff: Int64 = 0
    /// Coins that became debt when a payment was cancelled, and for which no write-off was taken back yet, by purchase.
    private(set) var owed: [Int64: Int64] = [:]
    /// When the present debt arose; nil: there is none.
    private(set) var since: Date?
    /// What ``owed`` has of the present debt.
    private var owedSince: [Int64: Int64] = [:]
    /// What ``owed`` and ``owedSince`` had of a purchase before each of its claw-backs.
    private var earlier: [Int64: [Earlier]] = [:]
    /// Whether a part of the present debt was written off.
    private var isWrittenOff = false

    private struct Earlier: Sendable, Equatable {
        let owed: Int64
        let since: Int64
    }

    /// Notes a claw-back that made a debt.
    mutating func owe(_ coins: Int64, of purchase: Int64, at moment: Date) {
        guard coins > 0 else { return }
        earlier[purchase, default: []].append(Earlier(owed: owed[purchase] ?? 0, since: owedSince[purchase] ?? 0))
        owed[purchase, default: 0] += coins
        owedSince[purchase, default: 0] += coins
        since = since ?? moment
    }

    mutating func writeOff(_ coins: Int64) {
        writtenOff += coins
        isWrittenOff = true
    }

    /// Notes that a part of a write-off was taken back, because coins of this purchase came back.
    mutating func reverseWriteOff(_ coins: Int64, of purchase: Int64) {
        writtenOff -= coins
        owed[purchase, default: 0] -= coins
    }

    /// What was written off of coins that a purchase's claw-backs made a debt of, if so many of them are still owed.
    func writtenOff(of purchase: Int64, beside left: Int64) -> Int64 {
        max(0, min(writtenOff, (owed[purchase] ?? 0) - left))
    }

    /// Notes that the last claw-back of the purchase was reversed, and its debt with it.
    ///
    /// The debt of earlier ones stays.
    mutating func giveBack(of purchase: Int64) {
        let left = earlier[purchase]?.popLast() ?? Earlier(owed: 0, since: 0)
        owed[purchase] = min(owed[purchase] ?? 0, left.owed)
        owedSince[purchase] = min(owedSince[purchase] ?? 0, left.since)
    }

    /// Notes that the debt is paid, or written off, as a whole.
    ///
    /// Coins of a debt that was paid whole are the user's if they come back: no write-off was for them.
    mutating func end() {
        if !isWrittenOff { owed.merge(owedSince) { $0 - $1 } }
        (since, owedSince, isWrittenOff) = (nil, [:], false)
    }
}

extension DebtHistory {
    /// One posting to a debt, or the merge of another user's debt into it.
    struct Line: Sendable {
        let user: UserID
        /// Whose account it was posted to: the user, or one of the former ids.
        let owner: UserID
        /// Into whom the owner was merged by it; nil: it is a posting.
        let into: UserID?
        let kind: String
        /// Whose cancellation made the debt, or whose coins take a write-off back; nil: it is of another kind.
        let purchase: Int64?
        let coins: Int64
        let balance: Int64
        let effectiveAt: Date
    }

    /// The postings to the users' debts, those of each user in order, also of the ids that were merged into theirs.
    ///
    /// `OFFSET 0` keeps the look-ups by key in a plan that PostgreSQL made while the tables were new, and only the primary
    /// key has the order of an entry's id (decision 0002).
    static func lines(of users: [UserID]) -> PostgresQuery<[Line]> {
        PostgresQuery(
            """
            WITH called AS MATERIALIZED (
                SELECT asked.user_id, called.name FROM unnest($1::text[]) AS asked (user_id)
                CROSS JOIN LATERAL unnest(\(UserAliases.names(of: "asked.user_id"))) AS called (name)
            )
            SELECT user_id, owner, into_user, kind, purchase_id, amount, balance, effective_at
            FROM (
                SELECT called.user_id, called.name AS owner, NULL AS into_user, entry.kind,
                    CASE WHEN entry.kind IN ('claw_back', 'claw_back_reversal', 'debt_write_off_reversal')
                            AND entry.reference LIKE 'purchase:%'
                        THEN split_part(entry.reference, ':', 2)::int8 END AS purchase_id,
                    posting.amount, posting.balance, entry.effective_at, entry.recorded_at, posting.seq
                FROM called
                CROSS JOIN LATERAL (SELECT id FROM account WHERE code = 'debt:' || called.name OFFSET 0) AS account
                CROSS JOIN LATERAL (
                    SELECT account_id, seq, journal_entry_id, amount, balance FROM posting WHERE account_id = account.id OFFSET 0
                ) AS posting
                CROSS JOIN LATERAL (
                    SELECT kind, reference, recorded_at, effective_at FROM journal_entry
                    WHERE id = ANY(ARRAY[posting.journal_entry_id])
                    ORDER BY id
                ) AS entry
                WHERE entry.kind <> 'merge'
                UNION ALL
                SELECT called.user_id, merge.former, merge.user_id, 'merge', NULL, 0, 0, merge.merged_at, merge.merged_at, 0
                FROM called
                CROSS JOIN LATERAL (
                    SELECT former, user_id, merged_at FROM user_merge WHERE user_merge.former = called.name OFFSET 0
                ) AS merge
            ) AS line
            ORDER BY user_id, recorded_at, owner, seq
            """,
            [users.map(\.rawValue)]
        ) { row in try row.make(Line.init) }
    }

    /// The history of each user, from the lines of all.
    ///
    /// Debts of two users are two until they become one.
    static func assemble(_ lines: [Line]) -> [UserID: DebtHistory] {
        Dictionary(grouping: lines, by: \.user).reduce(into: [:]) { found, lines in
            var histories: [UserID: DebtHistory] = [:]
            for line in lines.value {
                if let into = line.into {
                    histories[into, default: DebtHistory()].absorb(histories.removeValue(forKey: line.owner))
                } else {
                    histories[line.owner, default: DebtHistory()].add(line)
                }
            }
            found[lines.key] = histories[lines.key]
        }
    }

    private mutating func absorb(_ other: DebtHistory?) {
        guard let other else { return }
        writtenOff += other.writtenOff
        owed.merge(other.owed) { $0 + $1 }
        owedSince.merge(other.owedSince) { $0 + $1 }
        earlier.merge(other.earlier) { $1 + $0 }
        since = [since, other.since].compactMap(\.self).min()
        isWrittenOff = isWrittenOff || other.isWrittenOff
    }

    /// Takes note of a posting.
    mutating func add(_ line: Line) {
        switch (line.kind, line.purchase) {
        case ("claw_back", let purchase?): owe(line.coins, of: purchase, at: line.effectiveAt)
        case ("claw_back_reversal", let purchase?): giveBack(of: purchase)
        case ("debt_write_off", _): writeOff(line.coins)
        case ("debt_write_off_reversal", let purchase?): reverseWriteOff(line.coins, of: purchase)
        // Of before it named its purchase.
        case ("debt_write_off_reversal", nil): writeOff(-line.coins)
        default: break
        }
        if line.balance == 0 { end() }
    }
}
