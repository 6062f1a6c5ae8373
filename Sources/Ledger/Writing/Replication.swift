import Postgres

/// What synchronous standbys ask of answers that are only read.
///
/// A commit waits until its standby has it. What a transaction reads may be there and not yet be replicated: after a
/// cancelled wait, or after the primary was restarted. So whoever answers with what was done before commits a mark first.
/// The mark comes later in the WAL, so a standby that has it has all before it.
enum Replication {
    /// Has the transaction's commit wait for the standbys, where there are any; changes no table.
    static let mark = PostgresQuery<Int>.affected(
        """
        SELECT pg_logical_emit_message(true, 'ledgerd', '')
        WHERE current_setting('synchronous_standby_names') <> ''
        """)
}
