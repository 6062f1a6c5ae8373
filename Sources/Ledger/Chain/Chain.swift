import Postgres

/// The hash chain over the journal.
///
/// It reveals every later change of an entry.
///
/// Entries are added after their commit, so commits do not become slower. Any number of processes may add entries.
package struct Chain: Sendable {
    let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Adds every complete entry that is not in the chain yet.
    ///
    /// An entry is complete when no transaction still runs that could write an entry before it. A transaction that
    /// stays open stops the chain.
    ///
    /// - Parameter patience: how long to wait for running transactions, so that everything committed before the call is
    ///   added.
    /// - Returns: how many entries were added.
    /// - Throws: ``LedgerError/Code/fault`` when the server's transaction ids went back, as in a database that was
    ///   restored from a dump into a new cluster; see docs/operations.md.
    @discardableResult
    package func linkUp(waiting patience: Duration = .zero) async throws(LedgerError) -> Int64 {
        try await reading {
            try await pools.work.withConnection { connection in
                let deadline = ContinuousClock.now + patience
                var added: Int64 = 0
                var goal: Int64?
                while true {
                    let (count, horizon) = try await Self.addLink(on: connection)
                    added += Int64(count)
                    goal = goal ?? horizon.nextTransactionID
                    // After a full page there may be more.
                    if count == ChainReader.pageSize && !Task.isCancelled { continue }
                    if horizon.firstRunningID >= goal ?? 0 || .now >= deadline { return added }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }
    }

    private static func addLink(
        on connection: PostgresConnection
    ) async throws -> (count: Int, horizon: ChainHorizon) {
        try await connection.execute("BEGIN")
        try await ChainReader.prepare(connection)
        _ = try await connection.run(ChainLink.lock)
        // Separate statements after the lock: each also sees what was committed while the transaction waited for the
        // lock.
        let last = try await connection.run(ChainLink.last)
        let horizon = try await connection.run(ChainHorizon.now)
        guard horizon.nextTransactionID > last?.last.transactionID ?? 0 else { throw LedgerError.orderWentBack }
        // The chain of the newest format begins anew, beside the one that the ledger had before.
        let before = last.flatMap { $0.state.format == .newest ? $0 : nil }
        var entries = try await ChainReader(connection: connection).provingPage(
            after: before?.last ?? .start, through: .before(transaction: horizon.firstRunningID))
        if let end = entries.last {
            let salts = try await ChainSalts.draw(for: entries, on: connection)
            for place in entries.indices { salts.apply(to: &entries[place]) }
            var state = before?.state ?? ChainState()
            var buffer: [UInt8] = []
            for entry in entries { state.add(entry, &buffer) }
            _ = try await connection.run(ChainLink(after: last, to: state, at: end.position).insertion)
        }
        try await connection.execute("COMMIT")
        return (count: entries.count, horizon: horizon)
    }

    /// How long the oldest entry that is not in the chain has waited; zero: none is waiting.
    package func lag() async throws(LedgerError) -> Duration {
        try await reading { .milliseconds(try await pools.reads.run(Self.waiting) ?? 0) }
    }

    /// The condition that `entry` is after the last link.
    static let notLinked = """
        (entry.transaction_id, entry.id) > (
            coalesce((SELECT transaction_id FROM chain_link ORDER BY id DESC LIMIT 1), '0'::xid8),
            coalesce((SELECT entry_id FROM chain_link ORDER BY id DESC LIMIT 1), \(ChainPosition.start.entryID)))
        """

    /// Checks that new entries come after the entries in the chain.
    ///
    /// In a database that was restored from a dump into a new cluster they would come before them, and break the chain
    /// and every seal permanently. So nothing may be written.
    ///
    /// - Throws: ``LedgerError/Code/fault``; see docs/operations.md.
    static func requireOrder(on connection: PostgresConnection) async throws {
        guard try await connection.run(isInOrder) else { throw LedgerError.orderWentBack }
    }

    private static let isInOrder = PostgresQuery<Bool>.one(
        """
        SELECT pg_snapshot_xmax(pg_current_snapshot())
            > coalesce((SELECT transaction_id FROM chain_link ORDER BY id DESC LIMIT 1), '0'::xid8)
        """)

    private static let waiting = PostgresQuery<Int64?>.first(
        """
        SELECT greatest(0, extract(epoch FROM clock_timestamp() - entry.recorded_at) * 1000)::bigint
        FROM journal_entry AS entry
        WHERE \(notLinked)
        ORDER BY entry.transaction_id, entry.id
        LIMIT 1
        """)
}

extension LedgerError {
    fileprivate static let orderWentBack = LedgerError(
        .fault,
        "the server's transaction ids are lower than the chain's: see docs/operations.md")
}
