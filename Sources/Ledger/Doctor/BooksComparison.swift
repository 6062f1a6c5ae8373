package import Foundation
package import Postgres

/// A restored copy of the books, compared with the live books as of the moment up to which the copy was restored.
///
/// Both are taken to the same end of the chain (docs/seals.md), so the comparison is exact: a time would not be, because an
/// entry is dated before it is committed. The live books are read only from the last link that the copy has too, so the
/// primary has little to do.
package struct BooksComparison: Sendable {
    /// What the copy holds.
    package let restored: BooksState
    /// What the live books held when the copy ends.
    package let live: BooksState
    /// The live server that was read.
    package let liveOrigin: SnapshotOrigin
    /// When the last entry of the copy was recorded; nil: it has none.
    package let restoredTo: Date?
    /// What the live books have and the copy does not, because it came later.
    package let missing: Missing
    /// The newest seal that the copy holds, as the live books hold it.
    package let seal: Seal?

    /// Entries that came after the end of the copy.
    package struct Missing: Sendable, Equatable {
        /// How many.
        package let entries: Int64
        /// When the first of them was recorded; nil: there are none.
        package let since: Date?

        static let none = Missing(entries: 0, since: nil)
    }

    /// Whether the copy holds exactly what the live books held.
    package var isSame: Bool { restored == live }

    /// Debits and credits of both, by kind of account and currency, in order.
    package var totals: [(account: AccountClass, restored: ChainTotal, live: ChainTotal)] {
        Set(restored.chain.totals.keys).union(live.chain.totals.keys).sorted().map { account in
            (
                account: account, restored: restored.chain.totals[account] ?? ChainTotal(),
                live: live.chain.totals[account] ?? ChainTotal()
            )
        }
    }
}

/// The state of books: the number of entries, the chain's hash after the last entry, and the totals.
package struct BooksState: Sendable, Equatable {
    let chain: ChainState

    /// How many journal entries.
    package var entries: Int64 { chain.entries }
    /// The chain's hash after the last entry, in hexadecimal.
    package var head: String { chain.hash.hex }
}

extension BooksComparison {
    /// Compares the books of two servers.
    ///
    /// - Parameters:
    ///   - copy: a server that was restored from a backup, ended its recovery, and was not written to since.
    ///   - live: the primary, or its standby.
    /// - Throws: ``LedgerError/Code/unavailable`` when one of them can't be reached;
    ///   ``LedgerError/Code/replicaUnavailable`` when the standby can't be used.
    package init(of copy: PostgresConfiguration, with live: BooksSource) async throws(LedgerError) {
        self = try await reading {
            try await PostgresConnection.with(copy.forExamining) { copy in
                try await live.with(\.forExamining) { live, origin in
                    for connection in [copy, live] {
                        try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                        try await ChainReader.prepare(connection)
                    }
                    return try await BooksComparison(on: copy, live, origin)
                }
            }
        }
    }

    /// - Parameters: connections in transactions that were begun.
    private init(on copy: PostgresConnection, _ live: PostgresConnection, _ origin: SnapshotOrigin) async throws {
        liveOrigin = origin
        let end = try await copy.run(CopyEnd.query)
        let start = try await Self.commonLink(copy, live)
        var walkOfCopy = ChainWalk(on: copy, from: start, to: end)
        try await walkOfCopy.walk { _ in [] }
        var walkOfLive = ChainWalk(on: live, from: start, to: end)
        try await walkOfLive.walk { try await copy.run(Self.unfinished($0)) }
        restored = BooksState(chain: walkOfCopy.state)
        self.live = BooksState(chain: walkOfLive.state)
        restoredTo = end.lastRecordedAt
        missing = try await live.run(Self.later(than: end)).adding(walkOfLive.leftOut)
        seal = try await Self.seal(copy, live)
    }

    /// The last link of the copy, if the live books have the same one; nil: both are read from their first entry.
    private static func commonLink(
        _ copy: PostgresConnection, _ live: PostgresConnection
    ) async throws -> ChainLink? {
        guard let link = try await copy.run(ChainLink.last),
            let same = try await live.run(ChainLink.after(link.id - 1, limit: 1)).first,
            same.id == link.id, same.last == link.last, same.state == link.state
        else { return nil }
        return link
    }

    /// The live books are trusted, not the copy; a seal that only the copy has is what there is.
    private static func seal(_ copy: PostgresConnection, _ live: PostgresConnection) async throws -> Seal? {
        guard let last = try await copy.run(Seals.Kept.last) else { return nil }
        return try await live.run(Seals.Kept.find(last.id))?.seal ?? last.seal
    }

    /// Which of these transactions were under way when the copy ended: they were committed later, if at all.
    private static func unfinished(_ ids: Set<Int64>) -> PostgresQuery<[Int64]> {
        PostgresQuery(
            "SELECT id::int8 FROM unnest($1::text[]) AS id WHERE pg_xact_status(id::xid8) = 'aborted'",
            [ids.map(String.init)])
    }

    private static func later(than end: CopyEnd) -> PostgresQuery<Missing> {
        .one(
            "SELECT count(*), min(recorded_at) FROM journal_entry WHERE transaction_id >= $1::xid8",
            [String(end.nextTransactionID)]
        ) { row in try row.make(Missing.init) }
    }
}

extension BooksComparison.Missing {
    fileprivate func adding(_ other: Self) -> Self {
        Self(entries: entries + other.entries, since: [since, other.since].compactMap(\.self).min())
    }
}

/// Where the copy ends.
private struct CopyEnd: Sendable {
    /// No transaction from this one on is in the copy.
    let nextTransactionID: Int64
    let lastRecordedAt: Date?

    static let query = PostgresQuery<CopyEnd>.one(
        """
        SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint, (
            SELECT recorded_at FROM journal_entry ORDER BY journal_entry.transaction_id DESC, id DESC LIMIT 1)
        """
    ) { row in try row.make(CopyEnd.init) }
}

/// Takes the chain's state from a link on to the end of the copy, entry by entry.
private struct ChainWalk {
    private let reader: ChainReader
    private let end: ChainPosition
    private var position: ChainPosition
    private var buffer: [UInt8] = []
    private(set) var state: ChainState
    /// Entries that the copy rightly does not have.
    private(set) var leftOut = BooksComparison.Missing.none

    init(on connection: PostgresConnection, from start: ChainLink?, to end: CopyEnd) {
        reader = ChainReader(connection: connection)
        position = start?.last ?? .start
        // With the texts, because what the copy has after its last link has no salts there.
        state =
            start.map { ChainState(.texts, entries: $0.state.entries, hash: $0.state.hash, totals: $0.state.totals) }
            ?? ChainState(.texts)
        self.end = .before(transaction: end.nextTransactionID)
    }

    /// Walks to the end.
    ///
    /// - Parameter unfinished: which of these transactions to leave out.
    mutating func walk(_ unfinished: (Set<Int64>) async throws -> [Int64]) async throws {
        while true {
            let entries = try await reader.page(after: position, through: end)
            let without = Set(try await unfinished(Set(entries.map(\.position.transactionID))))
            for entry in entries { add(entry, unless: without) }
            guard let last = entries.last, entries.count == ChainReader.pageSize else { return }
            position = last.position
        }
    }

    private mutating func add(_ entry: ChainEntry, unless without: Set<Int64>) {
        guard without.contains(entry.position.transactionID) else { return state.add(entry, &buffer) }
        leftOut = leftOut.adding(
            BooksComparison.Missing(entries: 1, since: Date(microsecondsSince1970: entry.recordedAt)))
    }
}
