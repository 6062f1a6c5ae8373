import Foundation

/// Lots as a plan sees them.
struct PlannedLots: Sendable {
    private let order: LotOrdering
    private var records = Records<Lot>()
    private var byPurchase: [Int64: [Int64]] = [:]
    private var byUser: [UserID: [Int64]] = [:]
    private let lastRead: [UserID: Lot]
    /// Users whose lots were all used up, and of whom there may be more than were read: the plan is not good.
    private(set) var usersLackingLots: Set<UserID> = []
    /// What became of lots, each lot's in order, to insert.
    private(set) var movements: [LotMovement] = []

    init(_ lots: [Lot], in order: LotOrdering, lastRead: [UserID: Lot] = [:]) {
        self.order = order
        self.lastRead = lastRead
        for lot in lots where records.load(lot) { index(lot) }
    }

    /// Lots to insert.
    var new: [Lot] { records.new }

    subscript(id: Int64) -> Lot? { records[id] }

    /// The lots that came of a purchase, in the order in which they were made.
    func of(_ purchase: Purchase) -> [Lot] { (byPurchase[purchase.id] ?? []).compactMap { records[$0] } }

    /// The user's lots that can be used at the moment, in the order in which they are.
    ///
    /// Where only the first were read, what would come after those is not among them, new lots neither.
    func usable(by user: UserID, at moment: Date) -> [Lot] {
        (byUser[user] ?? []).compactMap { records[$0] }
            .filter { $0.remaining > 0 && !$0.isExpired(at: moment) && !isBeyondReading($0) }
            .sorted(by: order.precedes)
    }

    private func isBeyondReading(_ lot: Lot) -> Bool { lastRead[lot.user].map { order.precedes($0, lot) } ?? false }

    /// Notes that the user's lots did not suffice.
    mutating func didNotSuffice(for user: UserID) {
        if lastRead[user] != nil { usersLackingLots.insert(user) }
    }

    /// Puts lots in the order in which they are used.
    func ordered(_ lots: [Lot]) -> [Lot] { lots.sorted(by: order.precedes) }

    /// Adds a lot, known to the acts after it.
    mutating func insert(_ lot: Lot) {
        records.insert(lot)
        index(lot)
    }

    /// Replaces what is known of a lot, and keeps what the journal entry left of it.
    mutating func change(_ lot: Lot, by journalEntryID: Int64, at recordedAt: Date) {
        var lot = lot
        lot.seq += 1
        records.change(lot)
        movements.append(LotMovement(lot: lot, journalEntryID: journalEntryID, recordedAt: recordedAt))
    }

    private mutating func index(_ lot: Lot) {
        if let purchaseID = lot.purchaseID { byPurchase[purchaseID, default: []].append(lot.id) }
        byUser[lot.user, default: []].append(lot.id)
    }
}
