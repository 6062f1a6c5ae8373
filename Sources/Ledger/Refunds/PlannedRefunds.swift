import Postgres

/// A refund to insert, with the account that receives the money.
struct NewRefund: Sendable {
    let refund: Refund
    let account: BankAccount?

    /// The state in which it is inserted; decisions of the same batch change it.
    var firstStatus: Refund.Status { refund.method == .gateway ? .pending : .approved }
}

/// A plan's refunds.
struct PlannedRefunds: Sendable {
    private var records = Records<Refund>()
    private var accounts: [Int64: BankAccount] = [:]
    private var pendingByPurchase: [Int64: Int64] = [:]
    /// The approved refunds that are not paid, by purchase.
    private var approvedByPurchase: [Int64: Set<Int64>] = [:]
    /// The refunds of payments in foreign currencies, by purchase.
    private var foreignByPurchase: [Int64: Set<Int64>] = [:]
    /// Decisions to insert.
    private(set) var decisions: [RefundDecision] = []

    init(_ refunds: [Refund]) {
        for refund in refunds where records.load(refund) { index(refund) }
    }

    /// The refund with this id; nil: not found, or another user's.
    func refund(_ id: Int64, of user: UserID) -> Refund? { records[id].flatMap { $0.user == user ? $0 : nil } }

    /// The pending refund of the purchase; nil: none.
    func pending(of purchase: Purchase) -> Refund? { pendingByPurchase[purchase.id].flatMap { records[$0] } }

    /// Whether a refund of the purchase is pending, or approved and not paid: its coins can come back.
    func areUndecided(of purchase: Purchase) -> Bool {
        pending(of: purchase) != nil || !(approvedByPurchase[purchase.id] ?? []).isEmpty
    }

    /// The completed refunds of the purchase, if it was paid in a foreign currency.
    func completed(of purchase: Purchase) -> RefundsBefore {
        RefundsBefore((foreignByPurchase[purchase.id] ?? []).compactMap { records[$0] })
    }

    /// Refunds to insert.
    var new: [NewRefund] { records.new.map { NewRefund(refund: $0, account: accounts[$0.id]) } }

    /// Adds a refund.
    ///
    /// Later acts of the batch see it.
    mutating func insert(_ refund: Refund, to account: BankAccount?) {
        records.insert(refund)
        accounts[refund.id] = account
        index(refund)
    }

    /// Replaces a refund, and records the decision of the journal entry.
    mutating func decide(_ refund: Refund, by journalEntryID: Int64) {
        records.change(refund)
        decisions.append(RefundDecision(journalEntryID: journalEntryID, refund: refund))
        index(refund)
    }

    private mutating func index(_ refund: Refund) {
        if refund.foreign != nil { foreignByPurchase[refund.purchaseID, default: []].insert(refund.id) }
        if refund.status == .pending {
            pendingByPurchase[refund.purchaseID] = refund.id
        } else if pendingByPurchase[refund.purchaseID] == refund.id {
            pendingByPurchase[refund.purchaseID] = nil
        }
        if refund.status == .approved {
            approvedByPurchase[refund.purchaseID, default: []].insert(refund.id)
        } else {
            approvedByPurchase[refund.purchaseID]?.remove(refund.id)
        }
    }
}

extension PlannedRefunds {
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        guard !touches.purchases.isEmpty || !touches.refunds.isEmpty || !touches.takenBack.isEmpty else { return [] }
        return [
            Refund.find(touches.refunds, undecidedOf: touches.purchases, and: touches.takenBack).into(\.refunds)
        ]
    }

    func facts(among stripes: Int64, leasedTo holder: Int64?) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new) { refunds in
            Refund.insert(
                refunds.map { ($0, Stripe(of: $0.refund.user, among: stripes)) }, PendingRefund.lease.milliseconds,
                holder)
        } + decisionsInTurn.flatMap { PostgresQuery.facts($0, RefundDecision.insert) }
    }

    /// The decisions in parts with one of each refund at most, because the database checks each statement as a whole.
    ///
    /// A refund that is paid and repaid in one batch has two.
    private var decisionsInTurn: [[RefundDecision]] {
        var parts: [[RefundDecision]] = []
        var places: [Int64: Int] = [:]
        for decision in decisions {
            let place = places[decision.refund.id] ?? 0
            if place == parts.count { parts.append([]) }
            parts[place].append(decision)
            places[decision.refund.id] = place + 1
        }
        return parts
    }
}
