import Postgres

/// The rows, besides its user's accounts, that an act may touch.
///
/// They are locked and read before the act is planned.
package struct Touches: Sendable {
    /// Which of the user's lots that can be used are read, in lot order.
    ///
    /// The first ones, because there may be thousands; as many as an act may change, if the first ones do not suffice.
    enum UserLots: Sendable {
        case none
        /// Those of users in debt: coins that become usable pay the debt.
        case ifInDebt
        /// The act takes coins in lot order, or makes a debt that they pay.
        case first
    }

    /// The system accounts that the act may post to.
    ///
    /// An act that makes coins usable names the revenue accounts, because the coins may pay a debt.
    var systemAccounts: [SystemAccount] = []
    /// The provider whose earnings the act may post to.
    ///
    /// The provider's terms are read too.
    var provider: UserID?
    /// What the provider sells, if it is named: the terms of this item are read too.
    var item: String?
    /// The provider who pays back a claim.
    ///
    /// The accounts of what is owed to the provider are read in all stripes.
    var claimOn: UserID?
    /// The payment of the act.
    ///
    /// Purchases that share an id with it are read.
    var payment: PaymentIdentity?
    /// Keyed hashes of the names of ``payment``: those are read that a user had who was forgotten.
    var digests: [PostgresBytes] = []
    /// The foreign currency of ``payment``: its accounts are locked.
    var foreign: ForeignCurrency?
    /// The user who is merged into the act's: all accounts of both are locked, with what else a merge must know.
    var former: UserID?
    /// Whether the act takes the payment back.
    ///
    /// Its lots and its pending refund are read.
    var takesBack = false
    var userLots = UserLots.none
    /// The lot that the act names.
    var lot: Int64?
    /// Whether the coins of ``lot`` that were voided before are read: it is of a grant.
    var countsVoids = false
    /// The hold that the act names.
    ///
    /// Its lots are read too.
    var hold: Int64?
    /// The purchase that the act names.
    ///
    /// Its pending refund and its lots that are open, expired or taxed are read too.
    var purchase: Int64?
    /// The lots of ``purchase`` that coins can come back into: what a lost dispute of it took is read too, or what its last
    /// claw-back took.
    var purchaseLots: [Int64] = []
    /// Whether the act gives back what the last claw-back of ``purchase`` took, and not a dispute.
    var restores = false
    /// The refund that the act names.
    ///
    /// Its purchase is read too, with the open lots.
    var refund: Int64?
    /// The spend or capture that the act names, by its journal entry.
    ///
    /// Its lots are read too.
    var redemption: Int64?
    /// Whether the user's debts are read: used or held coins come back, or a debt is paid in won.
    var debtHistory = false
    /// The settlement line that the act names.
    ///
    /// The booked lines of ``payment`` are read too.
    var settlementLine: Int64?
    /// The payout that the act pays.
    var payout: Int64?
    /// The entries of ``payout``, which may be of all stripes.
    var payoutParts: [PayoutPart] = []
    /// The adjustment that the act books.
    ///
    /// Its accounts in the first stripe are locked.
    var adjustment: AdjustmentTouch?
    /// The revaluation that the act books.
    ///
    /// Its accounts in the first stripe are locked.
    var revaluation: RevaluationTouch?
    /// The campaign of which the user gets coins.
    var campaign: Int64?
    /// The other user of a gift, and what may be given.
    var gift: GiftTouch?
    /// What the parts of an act touch that consists of others.
    var parts: [Touches] = []
    /// The keys under which the outcomes of its parts are recorded.
    var partKeys: [CallerKey] = []
}

/// The rows that the acts of a batch touch.
struct BatchTouches: Sendable {
    private(set) var users: Set<UserID> = []
    /// By stripe: a journal entry belongs to its user's stripe.
    private(set) var systemAccounts: [Stripe: Set<SystemAccount>] = [:]
    /// Accounts of providers: earnings, and won that are owed to them.
    private(set) var providerAccounts: [AccountCode] = []
    /// Accounts of foreign currencies that acts credit.
    private(set) var foreignAccounts: [AccountCode] = []
    /// Users to be merged, each with the one that it becomes.
    private(set) var merges: [(former: UserID, into: UserID)] = []
    private(set) var payments: [PaymentIdentity] = []
    private(set) var digests: [PostgresBytes] = []
    private(set) var takenBack: [PaymentIdentity] = []
    private(set) var settlementLines: [Int64] = []
    private(set) var settled: [PaymentIdentity] = []
    /// Users whose acts take coins from their first lots, with the number of such acts.
    private(set) var takers: [UserID: Int] = [:]
    /// Users of whom the first lots are read if they are in debt.
    private(set) var payers: Set<UserID> = []
    private(set) var lots: [Int64] = []
    /// The lots of grants of which the coins are read that were voided before.
    private(set) var voided: [Int64] = []
    private(set) var holds: [Int64] = []
    private(set) var purchases: [Int64] = []
    /// The purchases of which what a lost dispute took may come back, with their lots.
    private(set) var givenBack: [PurchaseLots] = []
    /// The purchases of which what the last claw-back took may come back, with their lots.
    private(set) var restored: [PurchaseLots] = []
    private(set) var refunds: [Int64] = []
    private(set) var redemptions: [Int64] = []
    private(set) var payouts: [Int64] = []
    private(set) var adjustments: Set<AdjustmentTouch> = []
    private(set) var revaluations: Set<RevaluationTouch> = []
    /// The users who get coins of campaigns.
    private(set) var campaignUsers: [(campaign: Int64, user: UserID)] = []
    /// Users whose debts are read.
    private(set) var debtors: Set<UserID> = []
    private(set) var keys: [CallerKey] = []
    /// The gifts, each with the giver.
    private(set) var gifts: [(giver: UserID, touch: GiftTouch)] = []
    /// The lots with given coins of purchases that acts may refund.
    private(set) var givenLots: Set<RecallableLot> = []

    /// - Parameter booksVAT: whether VAT is booked, so that the acts may post to its accounts.
    init(_ acts: [any Act], among stripes: Int64, booksVAT: Bool = false) {
        for act in acts {
            let stripe = Stripe(of: act.user, among: stripes)
            users.insert(act.user)
            if let keyed = act.keyed { keys.append(keyed.idempotencyKey) }
            insert(act.touches, of: act.user, in: stripe)
            if booksVAT { systemAccounts[stripe, default: []].formUnion([.vatPayable, .vatDeferred, .vatInput]) }
            if let provider = act.touches.claimOn { insert(claimOn: provider, among: stripes) }
            if let gift = act.touches.gift { insert(gift, of: act.user, among: stripes) }
            if let former = act.touches.former {
                users.insert(former)
                systemAccounts[Stripe(of: former, among: stripes), default: []].formUnion(act.touches.systemAccounts)
                merges.append((former, act.user))
            }
        }
        payers.subtract(takers.keys)
    }

    private mutating func insert(_ touches: Touches, of user: UserID, in stripe: Stripe) {
        for part in touches.parts { insert(part, of: user, in: stripe) }
        keys += touches.partKeys
        systemAccounts[stripe, default: []].formUnion(touches.systemAccounts)
        if let provider = touches.provider {
            providerAccounts += [.earnings(of: provider, stripe), .payable(of: provider, stripe)]
        }
        if let payment = touches.payment { insert(touches, payment) }
        if let currency = touches.foreign, let payment = touches.payment {
            let accounts = ForeignAccount.ofPurchase(at: payment.gateway, in: currency)
            foreignAccounts += accounts.map { .foreign($0, stripe) }
        }
        digests += touches.digests
        switch touches.userLots {
        case .none: break
        case .ifInDebt: payers.insert(user)
        case .first: takers[user, default: 0] += 1
        }
        if let lot = touches.lot {
            lots.append(lot)
            if touches.countsVoids { voided.append(lot) }
        }
        if let hold = touches.hold { holds.append(hold) }
        if let purchase = touches.purchase {
            purchases.append(purchase)
            let own = PurchaseLots(purchase: purchase, lots: touches.purchaseLots)
            if touches.restores {
                restored.append(own)
            } else if !own.lots.isEmpty {
                givenBack.append(own)
            }
            lots += touches.purchaseLots
        }
        if let refund = touches.refund { refunds.append(refund) }
        if let redemption = touches.redemption { redemptions.append(redemption) }
        if let campaign = touches.campaign { campaignUsers.append((campaign, user)) }
        if touches.debtHistory { debtors.insert(user) }
        if let payout = touches.payout { insert(touches.payoutParts, of: payout) }
        if let adjustment = touches.adjustment {
            adjustments.insert(adjustment)
            systemAccounts[.first, default: []].formUnion([adjustment.subject.account, adjustment.subject.revenue])
        }
        if let revaluation = touches.revaluation {
            revaluations.insert(revaluation)
            // Its balance is the lock of the stripe.
            systemAccounts[.first, default: []].insert(.deferredRevenue)
            foreignAccounts += revaluation.accounts
        }
    }

    private mutating func insert(_ parts: [PayoutPart], of payout: Int64) {
        payouts.append(payout)
        for part in parts {
            systemAccounts[part.stripe, default: []].formUnion([.bank, .withholding])
            providerAccounts.append(.payable(of: part.provider, part.stripe))
        }
    }

    private mutating func insert(claimOn provider: UserID, among stripes: Int64) {
        for stripe in (0..<stripes).map(Stripe.init(number:)) {
            systemAccounts[stripe, default: []].insert(.bank)
            providerAccounts.append(.payable(of: provider, stripe))
        }
    }

    private mutating func insert(_ gift: GiftTouch, of giver: UserID, among stripes: Int64) {
        gifts.append((giver, gift))
        users.insert(gift.receiver)
        payers.insert(gift.receiver)
        for user in [giver, gift.receiver] {
            systemAccounts[Stripe(of: user, among: stripes), default: []].formUnion(GiftTouch.accounts)
        }
    }

    private mutating func insert(_ touches: Touches, _ payment: PaymentIdentity) {
        payments.append(payment)
        if touches.takesBack { takenBack.append(payment) }
        guard let line = touches.settlementLine else { return }
        settlementLines.append(line)
        settled.append(payment)
    }
}

// MARK: - Given coins

extension BatchTouches {
    /// Whether acts may refund purchases, so that given coins of these come back from whoever has them.
    var mayRecall: Bool { !purchases.isEmpty || !takenBack.isEmpty }

    /// Adds those who have given coins of purchases that acts may refund, and the buyers' accounts that these need.
    ///
    /// Nobody is locked yet when they are read: ``lacks(_:)`` tells afterwards whether there are more.
    mutating func insert(_ found: [RecallableLot], among stripes: Int64) {
        for lot in found {
            givenLots.insert(lot)
            users.insert(lot.holder)
            for user in [lot.holder, lot.buyer] {
                systemAccounts[Stripe(of: user, among: stripes), default: []].formUnion(GiftTouch.accounts)
            }
        }
    }

    /// Whether others were read under the locks: more lots with given coins, or the same of other users.
    ///
    /// These users may not be locked.
    func lacks(_ recallable: [RecallableLot]) -> Bool { !givenLots.isSuperset(of: recallable) }

    /// The ids that taking back all given coins, and what is recognised for the others, can use.
    ///
    /// A recall is a gift and two entries. An act takes of most lots all or nothing: of coins, of what was recognised
    /// for used ones, and of what will be; a lot of which it leaves a part is the next act's. What the batch gives on
    /// makes lots again.
    var idsOfRecalls: Int {
        givenLots.isEmpty ? 0 : 12 * (givenLots.count + purchases.count + takenBack.count)
    }
}
