/// What an act may touch beside its user's accounts, to be locked and read before it is planned.
package struct Touches: Sendable {
    /// Of which users' lots all are read of which coins are left.
    enum UserLots: Sendable {
        case none
        /// Those of a user in debt: coins that become usable pay it.
        case ifInDebt
        /// The first of them, for the act takes coins in their order; all where those do not suffice.
        case first
        /// All of them.
        case always
    }

    /// The system accounts it may post to: those of revenue where coins become usable, for they may pay a debt.
    var systemAccounts: [SystemAccount] = []
    /// Whose earnings it may post to.
    var provider: UserID?
    /// The payment whose purchase it makes or finds, and any other that shares an id with it.
    var payment: PaymentIdentity?
    /// Whether it takes that payment back: its lots and its pending refund.
    var takesBack = false
    /// Whether it reads its user's lots.
    var userLots = UserLots.none
    /// The lot it names.
    var lot: Int64?
    /// The hold it names, with its lots.
    var hold: Int64?
    /// The purchase it names, with its pending refund and its expired lots.
    var purchase: Int64?
    /// The refund it names, with its purchase.
    var refund: Int64?
    /// The settlement line it names, and those that are booked of ``payment``.
    var settlementLine: Int64?
}

/// What a batch touches: the union of what its acts do.
struct BatchTouches: Sendable {
    private(set) var users: Set<UserID> = []
    /// By stripe: every journal entry lies in its user's.
    private(set) var systemAccounts: [Stripe: Set<SystemAccount>] = [:]
    private(set) var earnings: [AccountCode] = []
    private(set) var payments: [PaymentIdentity] = []
    private(set) var takenBack: [PaymentIdentity] = []
    private(set) var settlementLines: [Int64] = []
    private(set) var settled: [PaymentIdentity] = []
    private(set) var choosers: Set<UserID> = []
    /// Who takes coins out of his first lots, by how many acts.
    private(set) var takers: [UserID: Int] = [:]
    private(set) var payers: Set<UserID> = []
    private(set) var lots: [Int64] = []
    private(set) var holds: [Int64] = []
    private(set) var purchases: [Int64] = []
    private(set) var refunds: [Int64] = []
    private(set) var keys: [CallerKey] = []

    init(_ acts: [any Act], among stripes: Int64) {
        for act in acts {
            let stripe = Stripe(of: act.user, among: stripes)
            users.insert(act.user)
            if let keyed = act.keyed { keys.append(keyed.idempotencyKey) }
            insert(act.touches, of: act.user, in: stripe)
        }
        payers.subtract(choosers)
        for user in choosers { takers[user] = nil }
    }

    private mutating func insert(_ touches: Touches, of user: UserID, in stripe: Stripe) {
        systemAccounts[stripe, default: []].formUnion(touches.systemAccounts)
        if let provider = touches.provider { earnings.append(.earnings(of: provider, stripe)) }
        if let payment = touches.payment { insert(touches, payment) }
        switch touches.userLots {
        case .none: break
        case .ifInDebt: payers.insert(user)
        case .first: takers[user, default: 0] += 1
        case .always: choosers.insert(user)
        }
        if let lot = touches.lot { lots.append(lot) }
        if let hold = touches.hold { holds.append(hold) }
        if let purchase = touches.purchase { purchases.append(purchase) }
        if let refund = touches.refund { refunds.append(refund) }
    }

    private mutating func insert(_ touches: Touches, _ payment: PaymentIdentity) {
        payments.append(payment)
        if touches.takesBack { takenBack.append(payment) }
        guard let line = touches.settlementLine else { return }
        settlementLines.append(line)
        settled.append(payment)
    }
}
