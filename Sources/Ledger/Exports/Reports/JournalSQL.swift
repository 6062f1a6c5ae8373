/// SQL for looking up entries.
enum JournalSQL {
    /// Postings as `posting` with their entries as `entry`.
    static let postings = "journal_entry AS entry JOIN posting ON posting.journal_entry_id = entry.id"

    /// Selects the lowest id of the entries that meet a condition.
    ///
    /// Ids increase with time, so the lowest id lets the block-range index find the postings.
    static func firstEntry(where condition: String) -> String {
        "SELECT min(id + 0) FROM journal_entry WHERE \(condition)"
    }

    /// Joins the entry that created a row of the table, as `entry (effective_at)`.
    static func entry(of table: StaticString) -> String {
        """
        JOIN LATERAL (
            SELECT effective_at FROM journal_entry WHERE journal_entry.id = \(table).journal_entry_id OFFSET 0
        ) AS entry ON true
        """
    }
}
