/// How reports look entries up.
enum JournalSQL {
    /// Joins when the entry takes effect that a table's rows were made by, as `entry (effective_at)`.
    static func entry(of table: StaticString) -> String {
        """
        JOIN LATERAL (
            SELECT effective_at FROM journal_entry WHERE journal_entry.id = \(table).journal_entry_id OFFSET 0
        ) AS entry ON true
        """
    }
}
