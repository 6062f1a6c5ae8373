import Postgres

/// One capture or release of a hold's coins.
///
/// An event never changes. The database applies it to the hold and its lots.
struct HoldEvent: Sendable, Equatable {
    /// The entry that moved the coins.
    let journalEntryID: Int64
    let holdID: Int64
    /// The coins captured.
    let captured: Int64
    /// The coins released to the wallet.
    let released: Int64
    /// The hold's status afterwards.
    let status: Hold.Status

    /// The difference between the hold before and after an entry.
    init(from before: Hold, to after: Hold, by journalEntryID: Int64) {
        self.journalEntryID = journalEntryID
        holdID = after.id
        captured = after.captured - before.captured
        released = after.released - before.released
        status = after.status
    }
}

extension HoldEvent {
    static let insert = BulkInsert<HoldEvent>(
        into: "hold_event",
        [
            .init("journal_entry_id", \.journalEntryID), .init("hold_id", \.holdID), .init("captured", \.captured),
            .init("released", \.released), .init("status", \.status),
        ])
}
