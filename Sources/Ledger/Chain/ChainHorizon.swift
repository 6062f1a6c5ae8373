import Postgres

/// The point before which no more entries can be added to the journal.
///
/// It must be read by a separate statement before the entries. A transaction that it counts as ended has committed or
/// rolled back when the next statement begins, so that statement sees all its entries.
struct ChainHorizon: Sendable {
    /// The oldest transaction that may still write an entry.
    ///
    /// All earlier ones have ended.
    let firstRunningID: Int64
    /// The server's next transaction id.
    let nextTransactionID: Int64

    /// Transactions of other databases share the counter of ids.
    ///
    /// They are ignored, however long they run.
    ///
    /// A running transaction whose database is unknown (it has just begun or ended, or is prepared) counts as one of
    /// this database.
    static let now = PostgresQuery<ChainHorizon>.one(
        """
        SELECT coalesce(
                (
                    SELECT running.id::text::bigint
                    FROM pg_snapshot_xip(snapshot) AS running (id)
                    LEFT JOIN pg_locks AS held ON held.transactionid = running.id::xid
                        AND held.locktype = 'transactionid' AND held.mode = 'ExclusiveLock' AND held.granted
                    LEFT JOIN pg_stat_activity AS session ON session.pid = held.pid
                    WHERE session.datid IS NULL
                        OR session.datid = (SELECT oid FROM pg_database WHERE datname = current_database())
                    ORDER BY running.id
                    LIMIT 1),
                pg_snapshot_xmax(snapshot)::text::bigint),
            pg_snapshot_xmax(snapshot)::text::bigint
        FROM pg_current_snapshot() AS snapshot
        """
    ) { row in try row.make(ChainHorizon.init) }
}
