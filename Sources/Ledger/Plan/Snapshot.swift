import Foundation

/// What the database holds of all that a batch of commands may touch, read under the accounts' locks.
struct Snapshot: Sendable {
    /// The ledger's number of stripes.
    let stripes: Int64
    /// The database's time after the locks were taken.
    let now: Date
    /// The accounts that exist, of those the commands may post to or answer from.
    var accounts: [AccountCode: Account] = [:]
    /// Purchases that share a payment's `imp_uid` or `merchant_uid` with a command.
    var purchases: [Purchase] = []
    /// Lots of purchases that a command may take back.
    var lots: [Lot] = []
    /// Outcomes recorded under the commands' idempotency keys.
    var recorded: [IdempotencyKey: RecordedOutcome] = [:]
    /// Ids for new records, at least ``Plan/mostIDs`` for each command.
    var ids = RecordIDs()
}

/// The outcome of a command that carries an idempotency key, as it is kept.
struct RecordedOutcome: Sendable, Equatable {
    let key: IdempotencyKey
    /// Which command it was.
    let command: JournalEntry.Kind
    /// Tells the command's content.
    let fingerprint: String
    let outcome: Granted
}
