import Batching
import Postgres

/// Reads users' statements.
package struct Statements: Sendable {
    private let pools: Pools
    private let pages: BatchQueue<StatementPageRequest, [StatementLine]>

    init(_ pools: Pools) {
        self.pools = pools
        // As for purchases: a batch is small, and two batches run at a time.
        pages = BatchQueue(capacity: 8192, batchLimit: 64, concurrency: 2) { requests in
            await answering(requests) { try await StatementLine.newest(requests, from: pools.reads) }
        }
    }

    /// The acts on the user's coins that were recorded in the period, newest first.
    ///
    /// Concurrent requests share one query, except requests for one kind.
    ///
    /// - Parameter kind: only acts of this kind; nil: all. The number of entries read for a page is limited, so a page
    ///   may have fewer entries than `limit`, or none, and not be the last.
    package func list(
        of user: UserID, in period: Period = .always, _ kind: String? = nil, after cursor: StatementCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<StatementEntry, StatementCursor> {
        try await reading {
            var walk = StatementWalk(period: period, kind: kind, cursor: cursor, limit: limit)
            repeat {
                let request = StatementPageRequest(user: user, end: period.to, cursor: walk.cursor, limit: walk.step)
                walk.take(
                    kind == nil
                        ? try await pages.submit(request, in: .user(user))
                        : try await StatementLine.newest([request], from: pools.reads)[0])
            } while walk.goesOn
            return walk.page
        }
    }

    /// The same, followed by the acts on the accounts of each id that was merged into the user's, the last merge first.
    package func history(
        of user: UserID, in period: Period = .always, _ kind: String? = nil, after cursor: StatementCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<StatementEntry, StatementCursor> {
        let former = cursor?.former
        // Clients send cursors back and may change them.
        if let former, try await !formers(of: user).contains(former) { return Page(elements: [], next: nil) }
        let page = try await list(of: former ?? user, in: period, kind, after: cursor, limit: limit)
        var next = page.next
        if next == nil {
            let formers = try await formers(of: user)
            let place = former.flatMap(formers.firstIndex).map { $0 + 1 } ?? 0
            next = formers.dropFirst(place).first.map(StatementCursor.init(former:))
        }
        return Page(elements: page.elements.map { $0.of(former: former) }, next: next)
    }

    /// The same on full pages: what follows of the next former ids is on the page, if there is room.
    package func filledHistory(
        of user: UserID, _ kind: String? = nil, after cursor: StatementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<StatementEntry, StatementCursor> {
        var filled = Page<StatementEntry, StatementCursor>(elements: [], next: cursor)
        // Few users have many ids: the rest is on the next page.
        for _ in 0..<10 {
            let page = try await history(
                of: user, kind, after: filled.next, limit: limit - filled.elements.count)
            filled = Page(elements: filled.elements + page.elements, next: page.next)
            if page.next == nil || filled.elements.count >= limit { break }
        }
        return filled
    }

    private func formers(of user: UserID) async throws(LedgerError) -> [UserID] {
        try await reading { try await pools.reads.run(UserAliases.formers(of: user)) }
    }

    /// Stops the queues of shared look-ups.
    func close() async { await pages.close() }
}
