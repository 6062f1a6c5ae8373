import Postgres

/// One capture or release of a hold's coins.
///
/// Never changed: where the hold and its lots stand follows from its events, and the database sees to that.
struct HoldEvent: Sendable, Equatable {
    /// The entry that moved the coins.
    let journalEntryID: Int64
    let holdID: Int64
    /// How many coins went to whom they were for.
    let captured: Int64
    /// How many coins went back to the wallet.
    let released: Int64
    /// The hold's status afterwards.
    let status: Hold.Status

    /// What an entry changed of a hold.
    init(from before: Hold, to after: Hold, by journalEntryID: Int64) {
        self.journalEntryID = journalEntryID
        holdID = after.id
        captured = after.captured - before.captured
        released = after.released - before.released
        status = after.status
    }
}

extension HoldEvent {
    static func insert(_ events: [HoldEvent]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO hold_event (journal_entry_id, hold_id, captured, released, status)
            SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::text[])
            """,
            [
                events.map(\.journalEntryID), events.map(\.holdID), events.map(\.captured), events.map(\.released),
                events.map(\.status.rawValue),
            ])
    }
}
