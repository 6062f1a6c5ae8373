/// SQL for looking up entries.
enum JournalSQL {
    /// Joins the entry that created a row of the table, as `entry (effective_at)`.
    static func entry(of table: StaticString) -> String {
        """
        JOIN LATERAL (
            SELECT effective_at FROM journal_entry WHERE journal_entry.id = \(table).journal_entry_id OFFSET 0
        ) AS entry ON true
        """
    }
}
