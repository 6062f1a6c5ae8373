import Foundation
import Testing

@testable import Ledger

/// The state that plans lead to, one after the other, and a judge of every step that knows nothing of how plans are
/// made: it only adds postings up.
struct PlannedBooks {
    static let stripes: Int64 = 4

    private(set) var accounts: [AccountCode: Account] = [:]
    private(set) var purchases: [Purchase] = []
    private(set) var lots: [Lot] = []
    private(set) var holds: [Int64: Hold] = [:]
    private(set) var holdLots: [Int64: [HoldLot]] = [:]
    private(set) var refunds: [Int64: Refund] = [:]
    private(set) var disputes: [Int64: Dispute] = [:]
    private var disputesByPurchase: [Int64: [Int64]] = [:]
    /// What lost disputes took, by dispute, as the lots' movements tell.
    private var losses: [Int64: DisputeLoss] = [:]
    /// Claw-backs that were not reversed, by entry.
    private var clawBacks: [Int64: PurchaseReversal] = [:]
    private var frozen: [Int64: FrozenCoins] = [:]
    private(set) var redemptions: [Int64: Redemption] = [:]
    /// Coins that came back into the lots of each purchase.
    private var returnedOfPurchase: [Int64: Int64] = [:]
    private var pendingRefunds: [Int64: Int64] = [:]
    private var approvedRefunds: [Int64: Set<Int64>] = [:]
    private(set) var recorded: [CallerKey: RecordedOutcome] = [:]
    private var ids = RecordIDs()
    private var nextBlock: Int64 = 1
    private var codeByID: [Int64: AccountCode] = [:]
    /// What each lot's movements changed, and when that took effect.
    private var changes: [Int64: [(effectiveAt: Date, remaining: Int64, held: Int64)]] = [:]
    /// What the claw-backs of each purchase made a debt of, by their entries' reference.
    private var owedByReference: [String: Int64] = [:]
    /// What became of each user's debts.
    private var histories: [UserID: DebtHistory] = [:]
    private var purchaseIndex: [String: [Int]] = [:]
    private var purchasePlaces: [Int64: Int] = [:]
    private var lotPlaces: [Int64: Int] = [:]
    private var lotPlacesByPurchase: [Int64: [Int]] = [:]
    private var openLotPlacesByUser: [UserID: Set<Int>] = [:]
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
    private static let lotsAnAct = 1

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

    /// What a writer would have loaded for these acts.
    mutating func snapshot(for acts: [any Act], now: Date) -> Snapshot {
        for _ in 0..<ids.blocksMissing(for: acts.reduce(0) { $0 + $1.mostIDs }) { ids.add(blocksFrom: [takeBlock()]) }
        var snapshot = Snapshot(stripes: Self.stripes, now: now, vatSettings: vatSettings, ids: ids)
        var found: [AccountCode: Account] = [:]
        for act in acts {
            let touches = act.touches
            let stripe = Stripe(of: act.user, among: Self.stripes)
            let codes =
                touches.systemAccounts.map { AccountCode.system($0, stripe) }
                + UserAccount.allCases.map { AccountCode.user($0, of: act.user) }
                + [touches.provider.map { AccountCode.earnings(of: $0, stripe) }].compactMap(\.self)
            let taxes: [SystemAccount] = vatSettings.isBooked ? [.vatPayable, .vatDeferred] : []
            for code in codes + taxes.map({ .system($0, stripe) }) + payableCodes(touches.provider, stripe) {
                found[code] = accounts[code]
            }
            if let payment = touches.payment { snapshot.purchases += known(payment) }
            if let key = act.keyed?.idempotencyKey, let outcome = recorded[key] { snapshot.recorded.append(outcome) }
            snapshot.lots += lots(touches, of: act.user)
            if touches.debtHistory { snapshot.debts[act.user] = histories[act.user] }
            let refunds = refunds(touches)
            snapshot.refunds += refunds
            snapshot.disputes += disputes(touches)
            if !touches.purchaseLots.isEmpty, let purchase = touches.purchase {
                snapshot.losses += (disputesByPurchase[purchase] ?? []).compactMap { losses[$0] }
            }
            let purchaseIDs = refunds.map(\.purchaseID) + [touches.purchase].compactMap(\.self)
            snapshot.purchases += Set(purchaseIDs).compactMap { purchasePlaces[$0] }.map { purchases[$0] }
            if let redemption = touches.redemption.flatMap({ redemptions[$0] }) {
                snapshot.redemptions.append(redemption)
            }
            if let id = touches.hold, let hold = holds[id] {
                snapshot.holds.append(hold)
                snapshot.holdLots += holdLots[id] ?? []
            }
        }
        snapshot.accounts = Array(found.values)
        snapshot.terms = Self.terms.enumerated().map { ProviderTerms(id: Int64($0.offset + 1), $0.element) }
        addFirstLots(for: BatchTouches(acts, among: Self.stripes), to: &snapshot)
        addVATAccounts(to: &snapshot)
        return snapshot
    }

    private func addVATAccounts(to snapshot: inout Snapshot) {
        for (stripe, lacking) in snapshot.accountsLackingForVAT {
            snapshot.accounts += lacking.compactMap { accounts[.system($0, stripe)] }
        }
    }

    /// The accounts of won that a capture for a provider with terms needs.
    private func payableCodes(_ provider: UserID?, _ stripe: Stripe) -> [AccountCode] {
        guard let provider, accounts[.payable(of: provider, stripe)] != nil else { return [] }
        return [
            .payable(of: provider, stripe), .system(.commission, stripe), .system(.providerCosts, stripe),
        ]
    }

    private func addFirstLots(for touches: BatchTouches, to snapshot: inout Snapshot) {
        let limit = (touches.takers.values.max() ?? 0) * Self.lotsAnAct
        let now = snapshot.now
        let order = snapshot.lotOrdering
        let first = touches.takers.keys.flatMap { user in
            (openLotPlacesByUser[user] ?? []).map { lots[$0] }
                .filter { $0.remaining > 0 && !$0.isExpired(at: now) }
                .sorted(by: order.precedes).prefix(limit)
        }
        snapshot.add(firstLots: first, limit: limit)
    }

    private func lots(_ touches: Touches, of user: UserID) -> [Lot] {
        var places: [Int] = []
        if touches.takesBack, let payment = touches.payment {
            let purchases = known(payment).filter { $0.payment.paymentID == payment.paymentID }
            places += purchases.flatMap { placesOfLotsToTakeBack($0.id) }
        }
        if let purchase = touches.purchase { places += placesOfLotsToTakeBack(purchase) }
        // A refund that was approved before is read only for its status.
        let refunds = refunds(touches).filter { $0.status != .approved || $0.id == touches.refund }
        places += refunds.flatMap { lotPlacesByPurchase[$0.purchaseID] ?? [] }
        let readsAll =
            switch touches.userLots {
            case .none, .first: false
            case .ifInDebt: debt(of: user) > 0
            case .always: true
            }
        if readsAll { places += openLotPlacesByUser[user] ?? [] }
        if let id = touches.lot, let place = lotPlaces[id] { places.append(place) }
        places += touches.purchaseLots.compactMap { lotPlaces[$0] }
        if let redemption = touches.redemption.flatMap({ redemptions[$0] }) {
            places += redemption.left.compactMap { lotPlaces[$0.lotID] }
        }
        if let id = touches.hold { places += (holdLots[id] ?? []).compactMap { lotPlaces[$0.lotID] } }
        return places.map { lots[$0] }
    }

    /// Where the lots of a purchase are that the database reads for an act which may take it back.
    private func placesOfLotsToTakeBack(_ purchase: Int64) -> [Int] {
        (lotPlacesByPurchase[purchase] ?? []).filter {
            lots[$0].remaining + lots[$0].held > 0 || lots[$0].expired > 0 || lots[$0].vat != nil
        }
    }

    private func debt(of user: UserID) -> Int64 { accounts[.user(.debt, of: user)]?.balance ?? 0 }

    /// Refunds that the act names or must not run into.
    private func refunds(_ touches: Touches) -> [Refund] {
        var ids = [touches.refund].compactMap(\.self)
        if let id = touches.purchase {
            ids += [pendingRefunds[id]].compactMap(\.self) + (approvedRefunds[id] ?? [])
        }
        if touches.takesBack, let payment = touches.payment {
            ids += known(payment).compactMap { pendingRefunds[$0.id] }
        }
        return Set(ids).compactMap { refunds[$0] }
    }

    /// Disputes of the purchases that the act names or takes back.
    private func disputes(_ touches: Touches) -> [(dispute: Dispute, frozen: FrozenCoins)] {
        var purchases = [touches.purchase, touches.refund.flatMap { refunds[$0]?.purchaseID }].compactMap(\.self)
        if touches.takesBack, let payment = touches.payment {
            purchases += known(payment).filter { $0.payment.paymentID == payment.paymentID }.map(\.id)
        }
        return Set(purchases).flatMap { disputesByPurchase[$0] ?? [] }.sorted().compactMap { disputes[$0] }
            .map { ($0, frozen[$0.purchaseID] ?? FrozenCoins()) }
    }

    /// Coins are frozen only while a dispute of their purchase is open, and no more are released than were frozen.
    ///
    /// - Parameter taken: what each entry took of lots.
    private mutating func applyDisputes(of plan: Plan, _ taken: [Int64: [DisputeLoss.Taken]]) throws {
        for dispute in plan.disputes.new {
            var begun = dispute
            begun.status = .open
            begun.decidedAt = nil
            disputes[dispute.id] = begun
            disputesByPurchase[dispute.purchaseID, default: []].append(dispute.id)
        }
        for decision in plan.disputes.decisions {
            let (before, after) = (try #require(disputes[decision.dispute.id]), decision.dispute)
            try #require(
                before.status == .open || before.status == .won && after.status == .lost
                    || before.isBookedAsLost == true && after.status == .won && decision.caller != nil)
            // What comes back is what the last loss took.
            if before.status == .lost { try #require(decision.moved?.amount == losses[after.id]?.amount) }
            losses[after.id] =
                after.status == .lost
                ? decision.moved.flatMap { loss(of: after, by: $0.journalEntryID, taken, in: plan) } : nil
            disputes[after.id] = after
        }
        for freeze in plan.disputes.freezes {
            let sign: Int64 = freeze.act == .hold ? 1 : -1
            frozen[freeze.purchaseID, default: FrozenCoins()].paid += sign * freeze.coins
            frozen[freeze.purchaseID, default: FrozenCoins()].bonus += sign * freeze.bonusCoins
            let coins = try #require(frozen[freeze.purchaseID])
            try #require(coins.paid >= 0 && coins.bonus >= 0)
        }
        for purchase in Set(plan.disputes.freezes.map(\.purchaseID) + plan.disputes.decisions.map(\.dispute.purchaseID))
        {
            let isOpen = (disputesByPurchase[purchase] ?? []).contains { disputes[$0]?.status == .open }
            try #require(isOpen || frozen[purchase] ?? FrozenCoins() == FrozenCoins())
        }
    }

    private func loss(
        of dispute: Dispute, by entry: Int64, _ taken: [Int64: [DisputeLoss.Taken]], in plan: Plan
    ) -> DisputeLoss? {
        plan.purchases.reversals.first { $0.journalEntryID == entry }.map {
            DisputeLoss(
                disputeID: dispute.id, journalEntryID: entry, amount: $0.amount, coins: $0.coins,
                bonusCoins: $0.bonusCoins, chargedCoins: $0.chargedCoins, lots: taken[entry] ?? [])
        }
    }

    /// A claw-back is reversed once, and whole; no more coins of each kind come back than it took or made a debt of.
    private mutating func applyReversedClawBacks(of plan: Plan) throws {
        for reversal in plan.purchases.reversals where reversal.amount > 0 {
            clawBacks[reversal.journalEntryID] = reversal
        }
        for entry in plan.journal.entries where entry.kind == .clawBackReversal {
            let taken = try #require(entry.reverses.flatMap { clawBacks.removeValue(forKey: $0) })
            let back = try #require(plan.purchases.reversals.first { $0.journalEntryID == entry.id })
            try #require(
                back.purchaseID == taken.purchaseID && back.amount == -taken.amount && back.coins == -taken.coins
                    && back.bonusCoins == -taken.bonusCoins && back.chargedCoins == -taken.chargedCoins)
            for part in plan.redemptions.returns where part.journalEntryID == entry.id {
                let lot = lots[try #require(lotPlaces[part.use.lotID])]
                let most =
                    lot.kind == .paid ? taken.coins + taken.chargedCoins : taken.bonusCoins - taken.chargedCoins
                try #require(part.redemptionID == taken.journalEntryID && lot.purchaseID == taken.purchaseID)
                try #require(part.use.coins <= most)
                redemptions[taken.journalEntryID, default: Redemption(taken, of: lot.user)].left.append(part.use)
            }
        }
    }

    /// Takes over the facts that a plan wrote, after judging them, and what follows of them, as the database does.
    mutating func apply(_ plan: Plan) throws {
        for account in plan.journal.accounts.opened { insert(Account(emptied: account)) }
        try post(plan)
        for purchase in plan.purchases.new { insert(purchase.begun) }
        for reversal in plan.purchases.reversals {
            replace(purchases[try #require(purchasePlaces[reversal.purchaseID])].reversed(by: reversal))
        }
        note(plan)
        var taken: [Int64: [DisputeLoss.Taken]] = [:]
        for lot in plan.lots.new { insert(lot) }
        for movement in plan.lots.movements {
            if let place = lotPlaces[movement.lot.id] {
                taken[movement.journalEntryID, default: []].append(DisputeLoss.Taken(lots[place], movement.lot))
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
        try applyHolds(of: plan)
        try applyReversedClawBacks(of: plan)
        try applyReturns(of: plan)
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

    /// At every moment, by what had taken effect, every lot has some coins or none, in the wallet and held.
    var lotsBelowZeroInTime: [Int64] {
        lots.filter { lot in
            var (remaining, held) = (lot.coins, Int64(0))
            let moments = Dictionary(grouping: changes[lot.id] ?? [], by: \.effectiveAt).sorted { $0.key < $1.key }
            return moments.contains { _, changes in
                remaining += changes.reduce(0) { $0 + $1.remaining }
                held += changes.reduce(0) { $0 + $1.held }
                return remaining < 0 || held < 0
            }
        }.map(\.id)
    }

    /// Every entry balances in each currency and lies in one stripe; every posting follows the one before it in its
    /// account, number by number and balance by balance; nobody's own account is below zero; totals are what was posted.
    private mutating func post(_ plan: Plan) throws {
        var sums: [String: Int64] = [:]
        var running = accounts
        let entries = Dictionary(uniqueKeysWithValues: plan.journal.entries.map { ($0.id, $0) })
        for posting in plan.journal.postings {
            let entry = try #require(entries[posting.journalEntryID])
            let code = try #require(codeByID[posting.accountID])
            var account = try #require(running[code])
            sums["\(entry.id) \(posting.currency.code)", default: 0] +=
                posting.side == .debit ? posting.amount : -posting.amount
            switch posting.side {
            case .debit: account.debits += posting.amount
            case .credit: account.credits += posting.amount
            }
            account.seq += 1
            try #require(account.postedAt ?? .distantPast <= entry.recordedAt)
            account.postedAt = entry.recordedAt
            try #require(posting.amount > 0)
            try #require(posting.stripe == entry.stripe && account.stripe == entry.stripe)
            try #require(posting.currency == account.currency)
            try #require(posting.seq == account.seq && posting.balance == account.balance)
            try #require(account.owner == nil || account.currency == .won || account.balance >= 0)
            if code.rawValue.hasPrefix("debt:"), let user = account.owner {
                histories[user, default: DebtHistory()].add(
                    DebtHistory.Line(
                        user: user, kind: entry.kind.rawValue, purchase: Int64(entry.reference.dropFirst(9)),
                        coins: posting.amount, balance: posting.balance, effectiveAt: entry.effectiveAt))
            }
            if entry.kind == .clawBack, code.rawValue.hasPrefix("debt:") {
                owedByReference[entry.reference, default: 0] += posting.amount
            }
            running[code] = account
        }
        try #require(sums.values.allSatisfy { $0 == 0 })
        accounts = running
    }

    /// Nobody owes coins and has some that can be used.
    private func judge(_ touched: [Account], at moment: Date) throws {
        for user in Set(touched.compactMap(\.owner)) where debt(of: user) > 0 {
            let open = (openLotPlacesByUser[user] ?? []).map { lots[$0] }
            try #require(!open.contains { $0.remaining > 0 && !$0.isExpired(at: moment) }, "\(user)")
        }
    }

    /// Of a payment that went back whole nothing that can be used is left but what is held, or was held and was owed for.
    private func judge(_ reversed: [Int64], and lots: [Lot], at moment: Date) throws {
        for id in Set(reversed + lots.compactMap(\.purchaseID)) {
            guard let place = purchasePlaces[id] else { continue }
            let purchase = purchases[place]
            let left = (lotPlacesByPurchase[id] ?? []).map { self.lots[$0] }
            guard purchase.refundedAmount == purchase.amount, left.allSatisfy({ $0.held == 0 }) else { continue }
            // Nobody can use what has expired; its expiry takes it.
            let coins = left.filter { !$0.isExpired(at: moment) }.reduce(0) { $0 + $1.remaining }
            try #require(
                coins <= owedByReference["purchase:\(id)", default: 0] + returnedOfPurchase[id, default: 0],
                "\(purchase) at \(moment): \(left)")
        }
    }

    private func known(_ payment: PaymentIdentity) -> [Purchase] {
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

    private mutating func takeBlock() -> Int64 {
        defer { nextBlock += RecordIDs.blockSize }
        return nextBlock
    }
}

extension Account {
    /// The account as it was before its first posting.
    fileprivate init(emptied account: Account) {
        self.init(
            id: account.id, stripe: account.stripe, code: account.code, owner: account.owner,
            currency: account.currency, normalSide: account.normalSide)
    }
}

extension Purchase {
    /// As it was when nothing of it had gone back.
    fileprivate var begun: Purchase {
        var purchase = self
        purchase.status = .credited
        purchase.refundedAmount = 0
        purchase.refundedCoins = 0
        purchase.refundedBonusCoins = 0
        purchase.chargedCoins = 0
        purchase.transferred = 0
        return purchase
    }
}

extension Hold {
    /// As it was when it was placed.
    fileprivate var begun: Hold {
        var hold = self
        hold.status = .open
        hold.captured = 0
        hold.released = 0
        hold.closedAt = nil
        return hold
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

extension Redemption {
    /// A claw-back as a redemption of which nothing came back yet.
    fileprivate init(_ taken: PurchaseReversal, of user: UserID) {
        self.init(id: taken.journalEntryID, act: .spend, user: user, provider: nil, left: [])
    }
}
