import Postgres

/// A plan's holds and their lots.
struct PlannedHolds: Sendable {
    private var records = Records<Hold>()
    private var lots: [Int64: [HoldLot]] = [:]
    /// Events to insert.
    private(set) var events: [HoldEvent] = []

    init(_ snapshot: Snapshot) {
        for hold in snapshot.holds { records.load(hold) }
        for lot in snapshot.holdLots where lots[lot.holdID]?.last.map({ $0.place < lot.place }) ?? true {
            lots[lot.holdID, default: []].append(lot)
        }
    }

    /// Holds to insert.
    var new: [Hold] { records.new }
    /// Lots of new holds, to insert.
    var newLots: [HoldLot] { records.new.flatMap { lots[$0.id] ?? [] } }

    /// The hold with this id; nil: not found, or another user's.
    func hold(_ id: Int64, of user: UserID) -> Hold? { records[id].flatMap { $0.user == user ? $0 : nil } }

    /// The lots of a hold, in the order in which they are captured.
    func lots(of hold: Hold) -> [HoldLot] { lots[hold.id] ?? [] }

    /// Adds a hold and its lots.
    ///
    /// Later acts of the batch see them.
    mutating func insert(_ hold: Hold, _ lots: [HoldLot]) {
        records.insert(hold)
        self.lots[hold.id] = lots
    }

    /// Replaces a hold and its lots, and records the change as an event of the journal entry.
    mutating func change(_ hold: Hold, _ lots: [HoldLot], by journalEntryID: Int64) {
        if let before = records[hold.id] {
            events.append(HoldEvent(from: before, to: hold, by: journalEntryID))
        }
        records.change(hold)
        self.lots[hold.id] = lots
    }
}

extension PlannedHolds {
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        guard !touches.holds.isEmpty else { return [] }
        return [Hold.find(touches.holds).into(\.holds), HoldLot.of(touches.holds).into(\.holdLots)]
    }

    func facts(among stripes: Int64) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new.map { ($0, Stripe(of: $0.user, among: stripes)) }, Hold.insert)
            + PostgresQuery.facts(newLots, HoldLot.insert) + PostgresQuery.facts(events, HoldEvent.insert)
    }
}
