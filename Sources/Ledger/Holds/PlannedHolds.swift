/// Holds and their lots as a plan sees them.
struct PlannedHolds: Sendable {
    private var records = Records<Hold>()
    private var lots: [Int64: [HoldLot]] = [:]
    /// What became of holds, to insert.
    private(set) var events: [HoldEvent] = []

    init(_ holds: [Hold], _ holdLots: [HoldLot]) {
        for hold in holds { records.load(hold) }
        for lot in holdLots where lots[lot.holdID]?.last.map({ $0.place < lot.place }) ?? true {
            lots[lot.holdID, default: []].append(lot)
        }
    }

    /// Holds to insert.
    var new: [Hold] { records.new }
    /// Lots of new holds, to insert.
    var newLots: [HoldLot] { records.new.flatMap { lots[$0.id] ?? [] } }

    /// The user's own hold with this id.
    func hold(_ id: Int64, of user: UserID) -> Hold? { records[id].flatMap { $0.user == user ? $0 : nil } }

    /// The lots of a hold, in the order in which they are captured.
    func lots(of hold: Hold) -> [HoldLot] { lots[hold.id] ?? [] }

    /// Adds a hold and its lots, known to the acts after it.
    mutating func insert(_ hold: Hold, _ lots: [HoldLot]) {
        records.insert(hold)
        self.lots[hold.id] = lots
    }

    /// Replaces what is known of a hold and its lots, and keeps what the journal entry changed.
    mutating func change(_ hold: Hold, _ lots: [HoldLot], by journalEntryID: Int64) {
        if let before = records[hold.id] {
            events.append(HoldEvent(from: before, to: hold, by: journalEntryID))
        }
        records.change(hold)
        self.lots[hold.id] = lots
    }
}
