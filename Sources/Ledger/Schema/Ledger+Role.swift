import Postgres

extension Ledger {
    /// Whether the role that the ledger was opened as can rewrite what is written: it owns the journal's tables, belongs
    /// to who does, is a superuser, or was granted too much.
    ///
    /// Triggers refuse that too, but an owner may drop them.
    package var canRewriteBooks: Bool {
        get async throws(LedgerError) {
            try await reading {
                try await pool.run(
                    .one(
                        """
                        SELECT bool_or(
                            pg_catalog.pg_has_role(relowner, 'MEMBER')
                            OR pg_catalog.has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')
                            OR pg_catalog.has_any_column_privilege(oid, 'UPDATE'))
                        FROM pg_catalog.pg_class WHERE oid IN ('public.journal_entry'::regclass, 'public.posting'::regclass)
                        """
                    ) { row in try row.decode(0, as: Bool.self) })
            }
        }
    }
}
