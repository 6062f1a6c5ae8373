import Postgres

/// The journal, as people read it.
package struct Journal: Sendable {
    private let pool: PostgresPool

    init(pool: PostgresPool) { self.pool = pool }

    /// The journal entry with this id and its postings.
    package func find(_ id: Int64) async throws(LedgerError) -> JournalRecord? {
        try await reading {
            try await pool.withConnection { connection in
                let (heads, lines) = try await connection.pipeline(JournalRecord.head(id), JournalRecord.lines(of: id))
                guard var record = heads.first else { return nil }
                record.lines = lines
                return record
            }
        }
    }
}
