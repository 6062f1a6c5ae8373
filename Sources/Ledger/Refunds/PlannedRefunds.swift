/// A refund to insert, with where its money goes.
struct NewRefund: Sendable {
    let refund: Refund
    let account: BankAccount?
}

/// Refunds as a plan sees them.
struct PlannedRefunds: Sendable {
    private var records = Records<Refund>()
    private var accounts: [Int64: BankAccount] = [:]
    private var pendingByPurchase: [Int64: Int64] = [:]
    /// Decisions to insert.
    private(set) var decisions: [RefundDecision] = []

    init(_ refunds: [Refund]) {
        for refund in refunds where records.load(refund) { index(refund) }
    }

    /// The user's own refund with this id.
    func refund(_ id: Int64, of user: UserID) -> Refund? { records[id].flatMap { $0.user == user ? $0 : nil } }

    /// The one refund of the purchase that is pending.
    func pending(of purchase: Purchase) -> Refund? { pendingByPurchase[purchase.id].flatMap { records[$0] } }

    /// Refunds to insert.
    var new: [NewRefund] { records.new.map { NewRefund(refund: $0, account: accounts[$0.id]) } }

    /// Adds a refund, known to the acts after it.
    mutating func insert(_ refund: Refund, to account: BankAccount?) {
        records.insert(refund)
        accounts[refund.id] = account
        index(refund)
    }

    /// Replaces what is known of a refund, because of a decision that the journal entry carries out.
    mutating func decide(_ refund: Refund, by journalEntryID: Int64) {
        records.change(refund)
        decisions.append(RefundDecision(journalEntryID: journalEntryID, refund: refund))
        index(refund)
    }

    private mutating func index(_ refund: Refund) {
        if refund.status == .pending {
            pendingByPurchase[refund.purchaseID] = refund.id
        } else if pendingByPurchase[refund.purchaseID] == refund.id {
            pendingByPurchase[refund.purchaseID] = nil
        }
    }
}
