import Postgres

/// Reads journal entries with their postings in the order of the chain, page by page.
///
/// No index finds the postings of an entry, but they are close together on disk, and a block-range index finds those of
/// a span of ids. So the postings of a page are read in spans: the entries of a transaction mostly have neighbouring
/// ids, and a writer that seldom posts may use much lower ids.
struct ChainReader {
    /// The most entries in a page.
    static let pageSize = 4096
    /// Ids with a larger gap are read as two spans.
    private static let widestGap = RecordIDs.blockSize

    let connection: PostgresConnection

    /// Makes the current transaction use indexes.
    ///
    /// Without statistics, PostgreSQL might scan whole tables for each page.
    static func prepare(_ connection: PostgresConnection) async throws(PostgresError) {
        try await connection.execute("SET LOCAL enable_seqscan = off")
    }

    /// The next visible entries after a position.
    ///
    /// - Parameter end: the last position to read; nil: no limit.
    func page(after start: ChainPosition, through end: ChainPosition? = nil) async throws -> [ChainEntry] {
        var entries = try await connection.run(Self.entries(after: start, through: end))
        var places: [Int64: Int] = [:]
        for (place, entry) in entries.enumerated() { places[entry.position.entryID] = place }
        for (entryID, posting) in try await postings(nearby: Array(places.keys)) {
            if let place = places[entryID] { entries[place].postings.append(posting) }
        }
        return entries
    }

    /// As ``page(after:through:)``, with the salts or commitments of the texts: what proves the entries.
    func provingPage(after start: ChainPosition, through end: ChainPosition? = nil) async throws -> [ChainEntry] {
        var entries = try await page(after: start, through: end)
        let salts = try await ChainSalts.read(of: entries, on: connection)
        for place in entries.indices { salts.apply(to: &entries[place]) }
        return entries
    }

    /// The postings of the entries with these ids, by entry.
    func postings(of ids: [Int64]) async throws -> [Int64: [ChainEntry.Posting]] {
        let wanted = Set(ids)
        let found = try await postings(nearby: ids).filter { wanted.contains($0.entryID) }
        return Dictionary(grouping: found, by: \.entryID).mapValues { $0.map(\.posting) }
    }

    /// The postings of these entries, and of others with ids between.
    private func postings(nearby ids: [Int64]) async throws -> [(entryID: Int64, posting: ChainEntry.Posting)] {
        try await connection.run(Self.postings(Self.spans(of: ids.sorted())))
    }

    private static func spans(of ids: [Int64]) -> [ClosedRange<Int64>] {
        var spans: [ClosedRange<Int64>] = []
        for id in ids {
            if let last = spans.last, id - last.upperBound <= widestGap {
                spans[spans.count - 1] = last.lowerBound...id
            } else {
                spans.append(id...id)
            }
        }
        return spans
    }

    static func entries(after start: ChainPosition, through end: ChainPosition?) -> PostgresQuery<[ChainEntry]> {
        // ORDER BY needs the table's name: the bare name would be the result column, a number, which no index orders.
        PostgresQuery(
            """
            SELECT id, transaction_id::text::bigint, stripe, kind, reference, \(microseconds("effective_at")),
                \(microseconds("recorded_at")), reason, reverses, \(microseconds("late_for"))
            FROM journal_entry
            WHERE (transaction_id, id) > ($1::xid8, $2) AND (transaction_id, id) <= ($3::xid8, $4)
            ORDER BY journal_entry.transaction_id, id
            LIMIT $5
            """,
            [
                String(start.transactionID), start.entryID, String(end?.transactionID ?? .max), end?.entryID ?? .max,
                Int64(pageSize),
            ]
        ) { row in
            ChainEntry(
                position: ChainPosition(transactionID: try row[1], entryID: try row[0]), stripe: try row[2],
                kind: try row[3], reference: .plain(try row[4]), effectiveAt: try row[5], recordedAt: try row[6],
                reason: (try row[7] as String?).map(ChainText.plain), reverses: try row[8], lateFor: try row[9])
        }
    }

    private static func postings(
        _ spans: [ClosedRange<Int64>]
    ) -> PostgresQuery<[(entryID: Int64, posting: ChainEntry.Posting)]> {
        PostgresQuery(
            """
            SELECT posting.journal_entry_id, posting.account_id, account.code, coalesce(\(AccountSQL.classification), ''),
                posting.seq, posting.stripe, posting.side, posting.amount, posting.currency, posting.balance
            FROM unnest($1::int8[], $2::int8[]) AS span (first, last)
            JOIN posting ON posting.journal_entry_id BETWEEN span.first AND span.last
            LEFT JOIN account ON account.id = posting.account_id
            ORDER BY posting.account_id, posting.seq
            """,
            [spans.map(\.lowerBound), spans.map(\.upperBound)]
        ) { row in
            let currency: String = try row[8]
            return (
                entryID: try row[0],
                posting: ChainEntry.Posting(
                    accountID: try row[1], code: (try row[2] as String?).map(ChainText.plain),
                    classification: AccountClass(name: try row[3], currency: currency), seq: try row[4],
                    stripe: try row[5], side: try row[6], amount: try row[7], currency: currency, balance: try row[9])
            )
        }
    }

    private static func microseconds(_ column: String) -> String {
        "(extract(epoch FROM \(column)) * 1000000)::bigint"
    }
}
