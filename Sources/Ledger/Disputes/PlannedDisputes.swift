import Foundation
import Postgres

/// A plan's disputes, and the coins that are frozen because of them.
struct PlannedDisputes: Sendable {
    private var records = Records<Dispute>()
    private var byPurchase: [Int64: [Int64]] = [:]
    private var frozen: [Int64: FrozenCoins] = [:]
    /// What disputes took that a person booked as lost, by dispute.
    private var losses: [Int64: ClawBackLoss]
    /// Decisions to insert.
    private(set) var decisions: [DisputeDecision] = []
    /// Wins at the gateway to insert.
    private(set) var wins: [DisputeWin] = []
    /// Freezes and releases to insert.
    private(set) var freezes: [CoinFreeze] = []

    init(_ snapshot: Snapshot) {
        losses = Dictionary(snapshot.losses.map { ($0.disputeID, $0.loss) }) { first, _ in first }
        for (dispute, frozen) in snapshot.disputes where records.load(dispute) {
            byPurchase[dispute.purchaseID, default: []].append(dispute.id)
            self.frozen[dispute.purchaseID] = frozen
        }
    }

    /// Disputes to insert.
    var new: [Dispute] { records.new }

    /// The dispute with this id; nil: not found, or of another purchase.
    func dispute(_ id: Int64, of purchase: Purchase) -> Dispute? {
        records[id].flatMap { $0.purchaseID == purchase.id ? $0 : nil }
    }

    /// The dispute of the purchase that began at this time.
    func dispute(of purchase: Purchase, openedAt: Date) -> Dispute? {
        of(purchase).first { $0.openedAt.isSameMicrosecond(as: openedAt) }
    }

    /// The open disputes of a purchase.
    func open(of purchase: Purchase) -> [Dispute] { of(purchase).filter { $0.status == .open } }

    /// Whether a person booked a dispute of the purchase as lost: the buyer has all of the money.
    func isBookedAsLost(of purchaseID: Int64) -> Bool {
        (byPurchase[purchaseID] ?? []).contains { records[$0]?.isBookedAsLost == true }
    }

    /// Whether a person booked another dispute of the same purchase as lost.
    func isAnotherBookedAsLost(beside dispute: Dispute) -> Bool {
        (byPurchase[dispute.purchaseID] ?? []).contains { $0 != dispute.id && records[$0]?.isBookedAsLost == true }
    }

    /// What the dispute took when a person booked it as lost; nil: nothing, or it was not read.
    func loss(of dispute: Dispute) -> ClawBackLoss? { losses[dispute.id] }

    /// The coins of the purchase that are frozen.
    func frozen(of purchase: Purchase) -> FrozenCoins { frozen[purchase.id] ?? FrozenCoins() }

    private func of(_ purchase: Purchase) -> [Dispute] { (byPurchase[purchase.id] ?? []).compactMap { records[$0] } }

    /// Adds a dispute.
    ///
    /// Later acts of the batch see it.
    mutating func insert(_ dispute: Dispute) {
        records.insert(dispute)
        byPurchase[dispute.purchaseID, default: []].append(dispute.id)
    }

    /// Replaces a dispute by its decided state.
    mutating func decide(_ decision: DisputeDecision) {
        // A new dispute is inserted open; its decision follows.
        records.change(decision.dispute)
        decisions.append(decision)
    }

    /// Notes what the dispute took by its last decision; nil: nothing.
    mutating func note(_ loss: ClawBackLoss?, of dispute: Dispute) { losses[dispute.id] = loss }

    /// Notes that the gateway decided a dispute for the shop that a person had booked as lost.
    mutating func note(_ win: DisputeWin) {
        if var dispute = records[win.disputeID] {
            dispute.isResolvedAtGateway = true
            records.change(dispute)
        }
        wins.append(win)
    }

    mutating func record(_ freeze: CoinFreeze) {
        var coins = frozen[freeze.purchaseID] ?? FrozenCoins()
        switch freeze.act {
        case .hold:
            coins.paid += freeze.coins
            coins.bonus += freeze.bonusCoins
        case .release:
            coins.paid -= freeze.coins
            coins.bonus -= freeze.bonusCoins
        }
        frozen[freeze.purchaseID] = coins
        freezes.append(freeze)
    }
}

extension Date {
    /// Whether the database, which stores microseconds, takes the times for one.
    fileprivate func isSameMicrosecond(as other: Date) -> Bool { microsecondsSince1970 == other.microsecondsSince1970 }
}

extension PlannedDisputes {
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        guard !touches.purchases.isEmpty || !touches.refunds.isEmpty || !touches.takenBack.isEmpty else { return [] }
        let disputes = Dispute.of(
            purchases: touches.purchases, refunds: touches.refunds, payments: touches.takenBack
        ).into(\.disputes)
        guard !touches.givenBack.isEmpty else { return [disputes] }
        return [disputes, ClawBackLoss.of(touches.givenBack).into(\.losses)]
    }

    /// To be written after the purchases' reversals: the database checks decisions against them.
    func facts(among stripes: Int64) -> [PostgresQuery<Int>] {
        let disputes = PostgresQuery.facts(new) { disputes in
            Dispute.insert(disputes, stripes: disputes.map { Stripe(of: $0.user, among: stripes) })
        }
        return disputes + PostgresQuery.facts(freezes, CoinFreeze.insert)
            + PostgresQuery.facts(decisions, DisputeDecision.insert) + PostgresQuery.facts(wins, DisputeWin.insert)
    }
}
