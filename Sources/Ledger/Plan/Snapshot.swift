import Foundation

/// What the database holds of all that a batch of acts may touch, read under the accounts' locks.
struct Snapshot: Sendable {
    /// The ledger's number of stripes.
    let stripes: Int64
    /// The database's time after the locks were taken.
    var now: Date
    /// From when on entries may be effective; nil: nothing is closed.
    var openFrom: Date?
    /// In which order lots are used up.
    var lotOrdering = LotOrdering.standard
    /// The accounts that exist, of those the acts may post to or answer from, each once.
    var accounts: [Account] = []
    /// Purchases that share a payment's `imp_uid` or `merchant_uid` with an act, or that it names, each once or more.
    var purchases: [Purchase] = []
    /// Lots that an act may take from, each once or more.
    var lots: [Lot] = []
    /// Of users of whom only the first lots were read, the last of these: there may be more.
    var lastLotRead: [UserID: Lot] = [:]
    /// Holds that an act names.
    var holds: [Hold] = []
    /// The lots of those holds, each hold's in order.
    var holdLots: [HoldLot] = []
    /// Refunds that an act names, and those that are pending of a purchase or payment that it names.
    var refunds: [Refund] = []
    /// Settlement lines that an act names, and those booked of the same purchases.
    var settlementLines: [SettlementLine] = []
    /// Outcomes recorded under the acts' idempotency keys.
    var recorded: [RecordedOutcome] = []
    /// Ids for new records, at least ``Plan/mostIDs`` for each act.
    var ids = RecordIDs()

    /// Takes over the first lots that these users spend, so many of each at most.
    mutating func add(firstLots found: [Lot], limit: Int) {
        lots += found
        for (user, lots) in Dictionary(grouping: found, by: \.user) where lots.count == limit {
            lastLotRead[user] = lots.max(by: lotOrdering.precedes)
        }
    }

    /// Takes over all open lots of users of whom the first did not suffice.
    mutating func add(allLots found: [Lot], of users: Set<UserID>) {
        lots += found
        for user in users { lastLotRead[user] = nil }
    }
}
