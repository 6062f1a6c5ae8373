package import Foundation
import Postgres

/// A posting of an account, with its entry.
package struct AccountPosting: Sendable, Equatable {
    /// The number of the posting in the account, from 1; over all stripes, in the account of its stripe.
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
    package internal(set) var balance: Int64
    package let effectiveAt: Date
    package let recordedAt: Date
}

/// An account and a page of its postings, newest first.
package struct AccountPostings: Sendable {
    /// The account's name, such as `coins:issued`, or `coins:issued/3` for that of one stripe.
    package let account: String
    package let currency: Currency
    package let normalSide: Side
    /// The balance now, on the normal side.
    package let balance: Int64
    package let postings: Page<AccountPosting, AccountPostingCursor>
}

/// Where the next page of an account's postings begins: before these postings.
///
/// Clients send it back and may change it.
package struct AccountPostingCursor: Sendable, Codable, Equatable {
    /// The last posting's number.
    package let seq: Int64
    /// Of an account over all stripes, the last posting's number in each; nil: of one account.
    package let stripes: [Int64]?

    init(seq: Int64, stripes: [Int64]? = nil) {
        self.seq = seq
        self.stripes = stripes
    }
}

extension Journal {
    /// A page of the postings of an account, newest first; nil: there is no such account.
    ///
    /// An account of the ledger, or of a provider, is one over all stripes; its name with a stripe is that of one stripe.
    ///
    /// - Parameter moment: only postings recorded before this moment; nil: all.
    package func postings(
        of account: String, before moment: Date? = nil, after cursor: AccountPostingCursor? = nil, limit: Int
    ) async throws(LedgerError) -> AccountPostings? {
        try await reading {
            try await pools.reads.withConnection { connection in
                // A user's account has no stripes, and a user's id may end as a stripe does: `debt:ann/3` is of `ann/3`.
                let striped = BookAccount.isStriped(account) ? (0..<stripes).map { "\(account)/\($0)" } : []
                let found = try await connection.run(AccountHead.list([account] + striped))
                if let head = found.first(where: { $0.code == account }) {
                    let page = try await connection.run(
                        AccountPosting.list(of: account, before: moment, seq: cursor?.seq, limit: limit))
                    return AccountPostings(
                        account: account, currency: head.currency, normalSide: head.side, balance: head.balance,
                        postings: Page(page, limit: limit) { shown in
                            shown.last.map { AccountPostingCursor(seq: $0.seq) }
                        })
                }
                // By id, which never changes: the cursor has a number for each.
                return try await Self.merged(
                    account, found.sorted { $0.id < $1.id }, before: moment, after: cursor, limit: limit, on: connection
                )
            }
        }
    }

    /// A page of the postings of an account over all stripes, with its balance over all of them.
    private static func merged(
        _ account: String, _ heads: [AccountHead], before moment: Date?, after cursor: AccountPostingCursor?,
        limit: Int,
        on connection: PostgresConnection
    ) async throws -> AccountPostings? {
        guard let head = heads.first else { return nil }
        let given = cursor?.stripes ?? []
        let ids = heads.map(\.id)
        let lasts = ids.indices.map { $0 < given.count ? given[$0] &- 1 : Int64.max }
        let (starts, found) = try await connection.pipeline(
            AccountHead.starts(of: ids, before: moment, lasts),
            AccountPosting.merged(of: ids, before: moment, lasts, limit))
        var balance = starts.reduce(0) { $0 &+ $1.balance }
        var next = Dictionary(starts.map { ($0.id, $0.seq + 1) }, uniquingKeysWith: { first, _ in first })
        let shown = found.prefix(limit).map { row in
            var posting = row.posting
            posting.balance = balance
            balance &-= posting.side == head.side ? posting.amount : -posting.amount
            next[row.account] = posting.seq
            return posting
        }
        let cursor = AccountPostingCursor(seq: 0, stripes: ids.map { next[$0] ?? 1 })
        return AccountPostings(
            account: account, currency: head.currency, normalSide: head.side,
            balance: heads.reduce(0) { $0 &+ $1.balance },
            postings: Page(elements: Array(shown), next: found.count > limit ? cursor : nil))
    }
}

/// What is told of an account besides its postings.
private struct AccountHead: Sendable {
    let id: Int64
    let code: String
    let currency: Currency
    let side: Side
    let balance: Int64

    static func list(_ codes: [String]) -> PostgresQuery<[AccountHead]> {
        PostgresQuery(
            "SELECT id, code, currency, normal_side, balance FROM account WHERE code = ANY($1)", [codes]
        ) { row in
            AccountHead(
                id: try row[0], code: try row[1], currency: try row[2], side: try row[3], balance: try row[4])
        }
    }

    /// The number and balance of each account's last posting up to these numbers; 0 without one.
    static func starts(
        of ids: [Int64], before moment: Date?, _ lasts: [Int64]
    ) -> PostgresQuery<[(id: Int64, seq: Int64, balance: Int64)]> {
        PostgresQuery(
            """
            SELECT asked.id, coalesce(posting.seq, 0), coalesce(posting.balance, 0)
            FROM (\(asked)) AS asked
            LEFT JOIN posting ON posting.account_id = asked.id AND posting.seq = asked.last
            """, [ids, lasts, moment]
        ) { row in (try row[0], try row[1], try row[2]) }
    }

    /// The accounts `$1`, each with the number of its last posting: at most `$2`, and recorded before `$3`.
    static let asked = """
        SELECT account.id, least(given.last, CASE WHEN $3::timestamptz IS NULL THEN account.seq
            ELSE posting_seq_as_of(account.id, $3::timestamptz - interval '1 microsecond') END) AS last
        FROM unnest($1::int8[], $2::int8[]) AS given (id, last)
        JOIN account ON account.id = given.id
        """
}

extension AccountPosting {
    /// Up to `limit` + 1 rows of several accounts, newest first, to show whether there are more.
    fileprivate static func merged(
        of ids: [Int64], before moment: Date?, _ lasts: [Int64], _ limit: Int
    ) -> PostgresQuery<[(account: Int64, posting: AccountPosting)]> {
        PostgresQuery(
            """
            SELECT posting.account_id, posting.seq, entry.id, entry.kind, entry.reference, posting.side, posting.amount,
                posting.balance, entry.effective_at, entry.recorded_at
            FROM (\(AccountHead.asked)) AS asked
            CROSS JOIN LATERAL (
                SELECT * FROM posting WHERE posting.account_id = asked.id AND posting.seq <= asked.last
                ORDER BY posting.seq DESC LIMIT $4
            ) AS posting
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            -- Within an account, postings are recorded in the order of their numbers.
            ORDER BY entry.recorded_at DESC, posting.account_id DESC, posting.seq DESC LIMIT $4
            """, [ids, lasts, moment, Int64(limit + 1)]
        ) { row in
            var column = 1
            return (account: try row[0], posting: try row.make(at: &column, AccountPosting.init))
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
            [account, seq.map { $0 &- 1 } ?? Int64.max, moment, Int64(limit + 1)]
        ) { row in try row.make(AccountPosting.init) }
    }
}
