import Postgres

/// Makes answers that are only read wait for synchronous standbys.
///
/// A commit waits until the standby has it. But data that a transaction reads may be committed and not replicated yet:
/// after a cancelled wait, or after a restart of the primary. So a mark is committed before an earlier outcome is
/// returned. The mark comes later in the WAL, so a standby that has it has everything before it.
enum Replication {
    /// Makes the commit wait for the synchronous standbys, if there are any.
    ///
    /// It changes no table.
    static let mark = PostgresQuery<Int>.affected(
        """
        SELECT pg_logical_emit_message(true, 'ledgerd', '')
        WHERE current_setting('synchronous_standby_names') <> ''
        """)
}
