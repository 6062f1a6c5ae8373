import Foundation
import Testing

@testable import Ledger

/// The state that plans lead to, one after the other, and a judge of every step that knows nothing of how plans are
/// made: it only adds postings up.
struct PlannedBooks {
    static let stripes: Int64 = 4

    var accounts: [AccountCode: Account] = [:]
    var purchases: [Purchase] = []
    var lots: [Lot] = []
    var holds: [Int64: Hold] = [:]
    var holdLots: [Int64: [HoldLot]] = [:]
    var refunds: [Int64: Refund] = [:]
    var disputes: [Int64: Dispute] = [:]
    var disputesByPurchase: [Int64: [Int64]] = [:]
    /// What lost disputes took, by dispute, as the lots' movements tell.
    var losses: [Int64: ClawBackLoss] = [:]
    /// Disputes that a person booked as lost, and the gateway decided for the shop.
    var wonAtGateway: Set<Int64> = []
    /// Claw-backs that were not reversed, by entry.
    var clawBacks: [Int64: PurchaseReversal] = [:]
    /// What claw-backs took that stand and that no person booked, by purchase, the last at the end.
    var standing: [Int64: [ClawBackLoss]] = [:]
    var frozen: [Int64: FrozenCoins] = [:]
    var redemptions: [Int64: Redemption] = [:]
    /// Coins that came back into the lots of each purchase.
    var returnedOfPurchase: [Int64: Int64] = [:]
    var pendingRefunds: [Int64: Int64] = [:]
    var approvedRefunds: [Int64: Set<Int64>] = [:]
    var recorded: [CallerKey: RecordedOutcome] = [:]
    var ids = RecordIDs()
    private var nextBlock: Int64 = 1
    var codeByID: [Int64: AccountCode] = [:]
    /// What each lot's movements changed, and when that took effect.
    var changes: [Int64: [(effectiveAt: Date, remaining: Int64, held: Int64)]] = [:]
    /// What the claw-backs of each purchase made a debt of, by their entries' reference.
    var owedByReference: [String: Int64] = [:]
    /// What became of each user's debts.
    var histories: [UserID: DebtHistory] = [:]
    private var purchaseIndex: [String: [Int]] = [:]
    var purchasePlaces: [Int64: Int] = [:]
    var lotPlaces: [Int64: Int] = [:]
    var lotPlacesByPurchase: [Int64: [Int]] = [:]
    var openLotPlacesByUser: [UserID: Set<Int>] = [:]
    /// The entry by which all that was in the wallet of a grant was voided first, by lot.
    private var voidedBy: [Int64: Int64] = [:]
    /// How often coins came back into a lot that was voided, and were voided with it.
    private(set) var returnsVoided = 0
    /// The won of each payment of a debt.
    private(set) var debtsPaidInWon: [Int64] = []
    /// How often the first lots did not suffice.
    private(set) var plansMadeAgain = 0

    /// The providers with terms; the others earn coins only.
    static let terms = [
        ProviderTermsDraft(provider: .named("provider-0"), share: 8000, role: .agent),
        ProviderTermsDraft(provider: .named("provider-1"), share: 3333, role: .principal),
        ProviderTermsDraft(provider: .named("provider-2"), share: 10_000, role: .agent),
    ]

    /// What VAT is booked of; it can change in the middle of a history.
    var vatSettings: VATSettings

    init(vat: VATSettings = .off) {
        vatSettings = vat
        var ids = RecordIDs()  // the database's chart has a block of its own
        ids.add(blocksFrom: [takeBlock()])
        for number in 0..<Self.stripes {
            for account in SystemAccount.allCases {
                let stripe = Stripe(number: number)
                insert(
                    Account(
                        id: ids.next(), stripe: stripe, code: .system(account, stripe), owner: nil,
                        currency: account.currency, normalSide: account.normalSide))
            }
        }
        for provider in Self.terms.map(\.provider) {  // each in a block of its own, as the database opens them
            ids.add(blocksFrom: [takeBlock()])
            for number in 0..<Self.stripes {
                let stripe = Stripe(number: number)
                insert(
                    Account(
                        id: ids.next(), stripe: stripe, code: .payable(of: provider, stripe), owner: provider,
                        currency: .won, normalSide: .credit))
            }
        }
    }

    /// The lots that are read for each act that takes coins out of a user's first ones: few, so that they often don't do.
    static let lotsAnAct = 1

    /// Plans the acts as a writer does: on a user's first lots, and on all of them where those do not suffice.
    mutating func plan(_ acts: [any Act], now: Date) -> Plan {
        var snapshot = snapshot(for: acts, now: now)
        let plan = Plan(acts, on: snapshot)
        let lacking = plan.lots.usersLackingLots
        guard !lacking.isEmpty else { return plan }
        plansMadeAgain += 1
        let all = lacking.flatMap { openLotPlacesByUser[$0] ?? [] }.map { lots[$0] }
        snapshot.add(moreLots: all, of: lacking, limit: .max)
        addVATAccounts(to: &snapshot)
        return Plan(acts, on: snapshot)
    }

    func debt(of user: UserID) -> Int64 { accounts[.user(.debt, of: user)]?.balance ?? 0 }

    /// Takes over the facts that a plan wrote, after judging them, and what follows of them, as the database does.
    mutating func apply(_ plan: Plan) throws {
        for account in plan.journal.accounts.opened { insert(Account(emptied: account)) }
        try post(plan)
        for purchase in plan.purchases.new { insert(purchase.begun) }
        for reversal in plan.purchases.reversals {
            replace(purchases[try #require(purchasePlaces[reversal.purchaseID])].reversed(by: reversal))
        }
        note(plan)
        var taken: [Int64: [ClawBackLoss.Taken]] = [:]
        for lot in plan.lots.new { insert(lot) }
        for movement in plan.lots.movements {
            if let place = lotPlaces[movement.lot.id] {
                taken[movement.journalEntryID, default: []].append(ClawBackLoss.Taken(lots[place], movement.lot))
            }
            replace(movement.lot)
        }
        for refund in plan.refunds.new.map(\.refund) {
            refunds[refund.id] = refund
            if refund.status == .pending { pendingRefunds[refund.purchaseID] = refund.id }
            if refund.status == .approved { approvedRefunds[refund.purchaseID, default: []].insert(refund.id) }
            if let taken = refund.transfer?.taken {
                redemptions[refund.journalEntryID] = Redemption(
                    id: refund.journalEntryID, act: .spend, user: refund.user, provider: nil, left: taken)
            }
        }
        for refund in plan.refunds.decisions.map(\.refund) {
            refunds[refund.id] = refund
            if pendingRefunds[refund.purchaseID] == refund.id { pendingRefunds[refund.purchaseID] = nil }
            approvedRefunds[refund.purchaseID]?.remove(refund.id)
        }
        debtsPaidInWon += plan.debtPayments.map(\.amount)
        try applyDisputes(of: plan, taken)
        noteClawBacks(of: plan, taken)
        try applyHolds(of: plan)
        try applyReversedClawBacks(of: plan)
        try applyReturns(of: plan)
        try applyVoids(of: plan)
        for purchase in plan.purchases.new { try #require(known(purchase.payment).contains(purchase)) }
        let touched = plan.journal.postings.compactMap { codeByID[$0.accountID].flatMap { accounts[$0] } }
        try judge(touched, at: plan.recordedAt)
        try judge(plan.purchases.reversals.map(\.purchaseID), and: plan.lots.movements.map(\.lot), at: plan.recordedAt)
        for outcome in plan.outcomes.new { recorded[outcome.key] = outcome }
        ids = plan.ids
    }

    /// No more comes back of a spend or capture than it took of each lot, and with the last coin the last won.
    private mutating func applyReturns(of plan: Plan) throws {
        for redemption in plan.answers.compactMap({ $0.answer?.redeemed }) where redemptions[redemption.id] == nil {
            redemptions[redemption.id] = redemption
        }
        for back in plan.redemptions.returns {
            let use = try #require(redemptions[back.redemptionID]?.left.first { $0.lotID == back.use.lotID })
            try #require(back.use.coins > 0 && back.use.coins <= use.coins && back.use.amount <= use.amount)
            try #require(back.use.coins < use.coins || back.use.amount == use.amount)
            let rest = LotUse(
                lotID: use.lotID, kind: use.kind, coins: use.coins - back.use.coins,
                amount: use.amount - back.use.amount)
            redemptions[back.redemptionID]?.left.removeAll { $0.lotID == use.lotID }
            if rest.coins > 0 { redemptions[back.redemptionID]?.left.append(rest) }
            redemptions[back.redemptionID]?.returned += back.use.coins
            let place = try #require(lotPlaces[use.lotID])
            if let extended = back.extension { lots[place].expiresAt = extended.expiresAt }
            if let purchase = lots[place].purchaseID { returnedOfPurchase[purchase, default: 0] += back.use.coins }
        }
    }

    /// A void moves one lot, of a grant; one of all leaves nothing in the wallet.
    ///
    /// What comes back of a spend or capture after that is voided, and nothing else is without being asked for.
    private mutating func applyVoids(of plan: Plan) throws {
        let moved = Dictionary(grouping: plan.lots.movements, by: \.journalEntryID)
        for void in plan.lots.voids {
            let lot = try #require(moved[void.journalEntryID]?.first?.lot)
            try #require(moved[void.journalEntryID]?.count == 1 && lot.id == void.lotID && lot.purchaseID == nil)
            try #require(!void.isWhole || lot.remaining == 0 && lot.isVoided)
            if void.isWhole, voidedBy[void.lotID] == nil { voidedBy[void.lotID] = void.journalEntryID }
        }
        let late = plan.redemptions.returns.filter { back in
            voidedBy[back.use.lotID].map { $0 < back.journalEntryID } ?? false
        }
        let followed = plan.lots.voids.filter { $0.reversalID != nil }
        try #require(
            late.map { [$0.journalEntryID, $0.use.lotID, $0.use.coins] }
                == followed.map { [$0.reversalID ?? 0, $0.lotID, $0.coins] })
        returnsVoided += late.count
    }

    /// A hold's lots give up their coins in order.
    private mutating func applyHolds(of plan: Plan) throws {
        for hold in plan.holds.new { holds[hold.id] = hold.begun }
        for lots in Dictionary(grouping: plan.holds.newLots, by: \.holdID) { holdLots[lots.key] = lots.value }
        for event in plan.holds.events {
            var hold = try #require(holds[event.holdID])
            try #require(hold.status == .open)
            hold.captured += event.captured
            hold.released += event.released
            try #require((event.status == .open) == (hold.remaining > 0))
            hold.status = event.status
            hold.closedAt = event.status == .open ? nil : plan.recordedAt
            holds[hold.id] = hold
        }
        for id in Set(plan.holds.new.map(\.id) + plan.holds.events.map(\.holdID)) {
            var gone = try #require(holds[id]).coins - #require(holds[id]).remaining
            for place in holdLots[id, default: []].indices {
                let lot = try #require(holdLots[id]?[place])
                let taken = min(gone, lot.coins)
                holdLots[id]?[place].held = lot.coins - taken
                gone -= taken
            }
        }
    }

    private mutating func note(_ plan: Plan) {
        let times = Dictionary(uniqueKeysWithValues: plan.journal.entries.map { ($0.id, $0.effectiveAt) })
        var before = Dictionary(
            uniqueKeysWithValues: plan.lots.new.map { ($0.id, (remaining: $0.coins, held: Int64(0))) })
        for movement in plan.lots.movements {
            let lot = movement.lot
            let last = before[lot.id] ?? lotPlaces[lot.id].map { (lots[$0].remaining, lots[$0].held) } ?? (0, 0)
            let effectiveAt = times[movement.journalEntryID] ?? .distantPast
            changes[lot.id, default: []].append((effectiveAt, lot.remaining - last.0, lot.held - last.1))
            before[lot.id] = (lot.remaining, lot.held)
        }
    }

    func known(_ payment: PaymentIdentity) -> [Purchase] {
        let found = (purchaseIndex["i" + payment.paymentID] ?? []) + (purchaseIndex["m" + payment.merchantUID] ?? [])
        return Set(found).map { purchases[$0] }
    }

    private mutating func insert(_ purchase: Purchase) {
        purchaseIndex["i" + purchase.payment.paymentID, default: []].append(purchases.count)
        purchaseIndex["m" + purchase.payment.merchantUID, default: []].append(purchases.count)
        purchasePlaces[purchase.id] = purchases.count
        purchases.append(purchase)
    }

    private mutating func replace(_ purchase: Purchase) {
        if let place = purchasePlaces[purchase.id] { purchases[place] = purchase }
    }

    private mutating func replace(_ lot: Lot) {
        guard let place = lotPlaces[lot.id] else { return }
        lots[place] = lot
        if lot.remaining + lot.held == 0 {
            openLotPlacesByUser[lot.user]?.remove(place)
        } else {
            openLotPlacesByUser[lot.user, default: []].insert(place)
        }
    }

    private mutating func insert(_ lot: Lot) {
        lotPlaces[lot.id] = lots.count
        if let purchase = lot.purchaseID { lotPlacesByPurchase[purchase, default: []].append(lots.count) }
        if lot.remaining + lot.held > 0 { openLotPlacesByUser[lot.user, default: []].insert(lots.count) }
        lots.append(lot)
    }

    private mutating func insert(_ account: Account) {
        accounts[account.code] = account
        codeByID[account.id] = account.code
    }

    /// Takes the next blocks of ids after this one.
    mutating func takeBlocks(after block: Int64) { nextBlock = block + RecordIDs.blockSize }

    mutating func takeBlock() -> Int64 {
        defer { nextBlock += RecordIDs.blockSize }
        return nextBlock
    }
}

extension ProviderTerms {
    /// Terms that apply from the beginning.
    init(id: Int64, _ draft: ProviderTermsDraft) {
        self.init(
            id: id, provider: draft.provider, item: draft.item, share: draft.share, role: draft.role,
            withholding: draft.withholding ?? .none, setBy: "kim", setAt: .distantPast)
    }
}
