package import Foundation
import Postgres

/// A posting of an account, with its entry.
package struct AccountPosting: Sendable, Equatable {
    /// The number of the posting in the account, from 1.
    package let seq: Int64
    package let entry: Int64
    /// The act, such as `purchase` or `spend`.
    package let kind: String
    /// What the entry records, such as `purchase:17`.
    package let reference: String
    package let side: Side
    /// In minor units of the account's currency.
    package let amount: Int64
    /// The account's balance after the posting.
    package let balance: Int64
    package let effectiveAt: Date
    package let recordedAt: Date
}

/// An account and a page of its postings, newest first.
package struct AccountPostings: Sendable {
    /// The account's name, such as `coins:issued/3`.
    package let account: String
    package let currency: Currency
    package let normalSide: Side
    /// The balance now, on the normal side.
    package let balance: Int64
    package let postings: Page<AccountPosting, AccountPostingCursor>
}

/// Where the next page of an account's postings begins: before this posting.
package struct AccountPostingCursor: Sendable, Codable, Equatable {
    /// The last posting's number.
    package let seq: Int64
}

extension Journal {
    /// A page of the postings of one account, newest first; nil: there is no such account.
    ///
    /// - Parameter moment: only postings recorded before this moment; nil: all.
    package func postings(
        of account: String, before moment: Date? = nil, after cursor: AccountPostingCursor? = nil, limit: Int
    ) async throws(LedgerError) -> AccountPostings? {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (heads, found) = try await connection.pipeline(
                    AccountPosting.account(account),
                    AccountPosting.list(of: account, before: moment, seq: cursor?.seq, limit: limit))
                guard let head = heads.first else { return nil }
                let page = Page(found, limit: limit) { shown in shown.last.map { AccountPostingCursor(seq: $0.seq) } }
                return AccountPostings(
                    account: account, currency: head.currency, normalSide: head.side, balance: head.balance,
                    postings: page)
            }
        }
    }
}

extension AccountPosting {
    fileprivate static func account(
        _ code: String
    ) -> PostgresQuery<[(currency: Currency, side: Side, balance: Int64)]> {
        PostgresQuery("SELECT currency, normal_side, balance FROM account WHERE code = $1", [code]) { row in
            (try row[0], try row[1], try row[2])
        }
    }

    /// Returns up to `limit` + 1 rows, to show whether there are more.
    fileprivate static func list(
        of account: String, before moment: Date?, seq: Int64?, limit: Int
    ) -> PostgresQuery<[AccountPosting]> {
        PostgresQuery(
            """
            SELECT posting.seq, entry.id, entry.kind, entry.reference, posting.side, posting.amount, posting.balance,
                entry.effective_at, entry.recorded_at
            FROM (
                SELECT account.id, least($2, CASE WHEN $3::timestamptz IS NULL THEN account.seq
                    ELSE posting_seq_as_of(account.id, $3::timestamptz - interval '1 microsecond') END) AS last
                FROM account WHERE account.code = $1
            ) AS asked
            -- Along the key, from the last one: an account can have millions.
            CROSS JOIN LATERAL (
                SELECT * FROM posting WHERE posting.account_id = asked.id AND posting.seq <= asked.last
                ORDER BY posting.seq DESC LIMIT $4
            ) AS posting
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            ORDER BY posting.seq DESC
            """,
            [account, seq.map { $0 - 1 } ?? Int64.max, moment, Int64(limit + 1)]
        ) { row in try row.make(AccountPosting.init) }
    }
}
