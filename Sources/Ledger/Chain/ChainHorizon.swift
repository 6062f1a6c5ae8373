import Postgres

/// Up to where nothing can be added to the journal any more.
///
/// It must be asked for before the entries are read, by a statement of its own: whatever it takes for ended is committed,
/// if ever, when the next statement begins, and so is seen by that.
struct ChainHorizon: Sendable {
    /// The oldest transaction that may still write an entry; all before it have ended.
    let firstRunningID: Int64
    /// The id that the server gives next.
    let nextTransactionID: Int64

    /// Transactions of other databases have their ids from the same counter and don't matter here, however long they run.
    ///
    /// A running transaction whose database can't be told (it has just begun or ended, or is prepared) counts as ours.
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
    ) { row in ChainHorizon(firstRunningID: try row[0], nextTransactionID: try row[1]) }
}
