import Foundation
import Postgres

/// A plan's lots.
struct PlannedLots: Sendable {
    private let order: LotOrdering
    private var records = Records<Lot>()
    private var byPurchase: [Int64: [Int64]] = [:]
    /// Lots of coins that were given away, by the purchase that they were bought with.
    private var givenByPurchase: [Int64: [Int64]] = [:]
    private var byUser: [UserID: [Int64]] = [:]
    private let lastRead: [UserID: Lot]
    private var voided: [Int64: Int64]
    /// The number of lots that were read.
    private(set) var read = 0
    /// Users whose lots did not suffice although they may have more than were read.
    ///
    /// The plan must be made again with as many of their lots as their acts may change.
    private(set) var usersLackingLots: Set<UserID> = []
    /// Movements to insert, those of each lot in order.
    private(set) var movements: [LotMovement] = []
    /// Voids of grants to insert.
    private(set) var voids: [GrantVoid] = []

    init(_ snapshot: Snapshot) {
        order = snapshot.lotOrdering
        lastRead = snapshot.lastLotRead
        voided = snapshot.voided
        for lot in snapshot.lots where records.load(lot) {
            read += 1
            index(lot)
        }
    }

    /// Lots to insert.
    var new: [Lot] { records.new }

    subscript(id: Int64) -> Lot? { records[id] }

    /// The lots of a purchase, in the order in which they were created.
    func of(_ purchase: Purchase) -> [Lot] { (byPurchase[purchase.id] ?? []).compactMap { records[$0] } }

    /// The lots with coins of a purchase that were given away.
    func given(of purchase: Purchase) -> [Lot] { (givenByPurchase[purchase.id] ?? []).compactMap { records[$0] } }

    /// The user's lots that can be used at the moment, in the order of use.
    ///
    /// If only the user's first lots were read, lots that come after these are left out, also new ones.
    func usable(by user: UserID, at moment: Date) -> [Lot] {
        (byUser[user] ?? []).compactMap { records[$0] }
            .filter { $0.remaining > 0 && !$0.isExpired(at: moment) && !isBeyondReading($0) }
            .sorted(by: order.precedes)
    }

    private func isBeyondReading(_ lot: Lot) -> Bool { lastRead[lot.user].map { order.precedes($0, lot) } ?? false }

    /// Whether the user may have more lots than were read.
    func mayHaveMore(_ user: UserID) -> Bool { lastRead[user] != nil }

    /// Notes that the user's lots did not suffice.
    mutating func didNotSuffice(for user: UserID) {
        if mayHaveMore(user) { usersLackingLots.insert(user) }
    }

    /// Sorts lots in the order of use.
    func ordered(_ lots: [Lot]) -> [Lot] { lots.sorted(by: order.precedes) }

    /// Adds a lot.
    ///
    /// Later acts of the batch see it.
    mutating func insert(_ lot: Lot) {
        records.insert(lot)
        index(lot)
    }

    /// Replaces a lot, and records it as a movement of the journal entry.
    mutating func change(_ lot: Lot, by journalEntryID: Int64, at recordedAt: Date) {
        var lot = lot
        lot.seq += 1
        records.change(lot)
        movements.append(LotMovement(lot: lot, journalEntryID: journalEntryID, recordedAt: recordedAt))
    }

    /// The coins of a grant that were voided because somebody asked for it, of an act that counts them
    /// (``Touches/countsVoids``).
    func voided(of lotID: Int64) -> Int64 { voided[lotID] ?? 0 }

    /// Notes a void, whose movement is recorded.
    mutating func note(_ void: GrantVoid) {
        voids.append(void)
        if void.reversalID == nil { voided[void.lotID, default: 0] += void.coins }
    }

    private mutating func index(_ lot: Lot) {
        if let purchaseID = lot.purchaseID { byPurchase[purchaseID, default: []].append(lot.id) }
        if let purchaseID = lot.originPurchaseID { givenByPurchase[purchaseID, default: []].append(lot.id) }
        byUser[lot.user, default: []].append(lot.id)
    }
}

extension PlannedLots {
    /// The number of lots read for each act that takes coins from a user's first lots.
    private static let lotsAnAct = 8

    static func lookUps(for touches: BatchTouches, in order: LotOrdering) -> [PostgresQuery<SnapshotPart>] {
        var lookUps: [PostgresQuery<SnapshotPart>] = []
        if !touches.takenBack.isEmpty { lookUps.append(Lot.open(of: touches.takenBack).into(\.lots)) }
        if !touches.payers.isEmpty {
            lookUps.append(
                Lot.first(ofDebtorsAmong: Array(touches.payers), in: order, limit: lotsAnAct)
                    .into { $0.add(firstLots: $1, limit: lotsAnAct) })
        }
        if let most = touches.takers.values.max() {
            let limit = most * lotsAnAct
            lookUps.append(
                Lot.first(of: Array(touches.takers.keys), in: order, limit: limit)
                    .into { $0.add(firstLots: $1, limit: limit) })
        }
        if !touches.lots.isEmpty || !touches.holds.isEmpty {
            lookUps.append(Lot.find(touches.lots, ofHolds: touches.holds).into(\.lots))
        }
        if !touches.voided.isEmpty {
            lookUps.append(
                Lot.voidedCoins(of: touches.voided).into { snapshot, counted in
                    for lot in counted { snapshot.voided[lot.id] = lot.coins }
                })
        }
        if !touches.purchases.isEmpty || !touches.refunds.isEmpty {
            lookUps.append(Lot.open(ofPurchases: touches.purchases, ofRefunds: touches.refunds).into(\.lots))
        }
        if !touches.purchases.isEmpty {
            lookUps.append(Lot.expiredOrTaxed(ofPurchases: touches.purchases).into(\.lots))
        }
        if touches.mayRecall {
            lookUps.append(
                Lot.givenWithOrigins(ofPurchases: touches.purchases, touches.takenBack).into { snapshot, lots in
                    snapshot.lots += lots
                    snapshot.recallable += RecallableLot.among(lots)
                })
        }
        if !touches.refunds.isEmpty { lookUps.append(Refund.lots(ofTransfers: touches.refunds).into(\.lots)) }
        return lookUps
    }

    var facts: [PostgresQuery<Int>] {
        PostgresQuery.facts(new, Lot.insert) + PostgresQuery.facts(movements, LotMovement.insert)
            + PostgresQuery.facts(voids, GrantVoid.insert)
    }
}
