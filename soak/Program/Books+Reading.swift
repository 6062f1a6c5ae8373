import Foundation
import Postgres
import SoakHistory

extension Books {
    /// Reads the tables, in one snapshot, as their owner.
    init(reading connection: PostgresConnection) async throws {
        self.init()
        try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        entries = try await Self.entries(connection)
        keys = try await connection.run(
            PostgresQuery("SELECT key, journal_entry_id FROM idempotency WHERE journal_entry_id IS NOT NULL") { row in
                Key(key: try row[0], entry: try row[1])
            })
        purchases = try await connection.run(
            PostgresQuery(
                """
                SELECT id, user_id, merchant_uid, journal_entry_id, amount, coins, bonus_coins, refunded_amount
                FROM purchase
                """
            ) { row in
                Purchase(
                    id: try row[0], user: try row[1], merchantUID: try row[2], entry: try row[3], amount: try row[4],
                    coins: try row[5], bonus: try row[6], refunded: try row[7])
            })
        refunds = try await connection.run(
            PostgresQuery("SELECT id, purchase_id, coins, status FROM refund") { row in
                Refund(id: try row[0], purchase: try row[1], coins: try row[2], status: try row[3])
            })
        let reversals = try await connection.run(
            PostgresQuery<[(Int64, Int64)]>("SELECT journal_entry_id, amount FROM purchase_reversal") { row in
                (try row[0], try row[1])
            })
        clawBacks = Dictionary(reversals) { first, _ in first }
        wholeVoids = Set(
            try await connection.run(
                PostgresQuery<[Int64]>("SELECT journal_entry_id FROM grant_void WHERE is_whole") { row in try row[0] }))
        let merged = try await connection.run(
            PostgresQuery<[(String, String)]>("SELECT former, user_id FROM user_merge") { row in
                (try row[0], try row[1])
            })
        merges = Dictionary(merged) { first, _ in first }
        orders = try await connection.run(
            PostgresQuery("SELECT merchant_uid FROM \"order\"") { row in try row.decode(0, as: String.self) })
        trialBalance = try await connection.run(
            PostgresQuery("SELECT currency, sum(debits)::int8, sum(credits)::int8 FROM account GROUP BY currency") {
                row in Total(currency: try row[0], debits: try row[1], credits: try row[2])
            })
        try await connection.execute("COMMIT")
    }

    /// The entries with the postings to users' accounts; earnings of providers are none of them.
    ///
    /// A cancellation of a few won takes no coins and so has no such posting. The next one of the purchase counts it.
    private static func entries(_ connection: PostgresConnection) async throws -> [Entry] {
        let rows = try await connection.run(
            PostgresQuery<[(Entry, Line?)]>(
                """
                SELECT entry.id, entry.transaction_id::text::int8, entry.kind, entry.reference, entry.reason,
                    entry.recorded_at, coalesce(account.owner, purchase.user_id),
                    (extract(epoch FROM pg_xact_commit_timestamp(entry.transaction_id::xid)) * 1000000)::int8,
                    split_part(account.code, ':', 1),
                    split_part(account.code, ':', 3), posting.seq,
                    CASE WHEN posting.side = account.normal_side THEN posting.amount ELSE -posting.amount END,
                    posting.balance
                FROM journal_entry AS entry
                    LEFT JOIN (posting JOIN account ON account.id = posting.account_id AND account.owner IS NOT NULL)
                        ON posting.journal_entry_id = entry.id
                    LEFT JOIN purchase_reversal ON purchase_reversal.journal_entry_id = entry.id
                    LEFT JOIN purchase ON purchase.id = purchase_reversal.purchase_id
                WHERE account.owner IS NOT NULL OR entry.kind = 'claw_back'
                ORDER BY entry.id
                """
            ) { row in
                var entry = Entry(
                    id: try row[0], transaction: try row[1], committedAt: try row[7], kind: try row[2],
                    reference: try row[3], reason: try row[4], recordedAt: try row[5], user: try row[6], lines: [])
                if entry.kind == "merge" {
                    entry.kind = entry.reference == "merge:\(entry.user)" ? "merge_sent" : "merge_received"
                }
                return (entry, try line(row))
            })
        var entries: [Entry] = []
        for (entry, line) in rows {
            if entries.last?.id != entry.id { entries.append(entry) }
            if let line { entries[entries.count - 1].lines.append(line) }
        }
        return entries
    }

    private static func line(_ row: borrowing PostgresRow) throws -> Line? {
        guard let name = try row.decode(8, as: String?.self) else { return nil }
        let kind: String = try row[9]
        return Line(
            account: kind.isEmpty ? name : "\(name):\(kind)", place: try row[10], change: try row[11],
            balance: try row[12])
    }
}
