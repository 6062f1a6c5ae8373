package import Foundation
import Postgres

/// A journal entry with its postings, for display.
package struct JournalRecord: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        /// The account's code.
        package let account: String
        package let side: Side
        /// In minor units of `currency`.
        package let amount: Int64
        package let currency: Currency
        /// The account's balance after the posting.
        package let balance: Int64
    }

    package let id: Int64
    /// The act, such as `purchase` or `grant`.
    package let kind: String
    /// What it records, such as `purchase:17`.
    package let reference: String
    /// When it happened or, if that period was closed, the first open moment.
    package let effectiveAt: Date
    /// When it happened, if that period was closed; otherwise nil.
    package let lateFor: Date?
    package let recordedAt: Date
    package internal(set) var lines: [Line]
}

extension JournalRecord {
    /// The postings of the entry with this id.
    static func lines(of id: Int64) -> PostgresQuery<[Line]> {
        PostgresQuery(
            """
            SELECT account.code, posting.side, posting.amount, posting.currency, posting.balance
            FROM posting
            JOIN account ON account.id = posting.account_id
            WHERE posting.journal_entry_id = $1
            ORDER BY posting.currency, posting.side DESC, account.code
            """,
            [id]
        ) { row in try row.make(Line.init) }
    }

    /// The entry without its postings.
    static func head(_ id: Int64) -> PostgresQuery<[JournalRecord]> {
        PostgresQuery(
            "SELECT id, kind, reference, effective_at, late_for, recorded_at FROM journal_entry WHERE id = $1", [id]
        ) { row in
            JournalRecord(
                id: try row[0], kind: try row[1], reference: try row[2], effectiveAt: try row[3], lateFor: try row[4],
                recordedAt: try row[5], lines: [])
        }
    }
}

/// Reads journal entries.
package struct Journal: Sendable {
    let pools: Pools
    /// The ledger's number of stripes.
    let stripes: Int64

    init(_ pools: Pools, stripes: Int64) {
        self.pools = pools
        self.stripes = stripes
    }

    /// The journal entry with this id and its postings.
    package func find(_ id: Int64) async throws(LedgerError) -> JournalRecord? {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (heads, lines) = try await connection.pipeline(JournalRecord.head(id), JournalRecord.lines(of: id))
                guard var record = heads.first else { return nil }
                record.lines = lines
                return record
            }
        }
    }

    /// Summarises the new blocks of the journal and of purchases in their block-range indexes.
    ///
    /// Until then, whoever asks for entries of a period, postings of an entry or payments of a day reads all new blocks.
    ///
    /// - Returns: how many ranges were summarised; 0 also while a vacuum is at work, which summarises too.
    package func summariseBlocks() async throws(LedgerError) -> Int64 {
        try await reading {
            try await pools.work.run(PostgresQuery<Int64>.one("SELECT summarise_block_ranges()") { row in try row[0] })
        }
    }
}
