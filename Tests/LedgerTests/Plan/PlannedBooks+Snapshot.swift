import Foundation

@testable import Ledger

extension PlannedBooks {
    /// What a writer would have loaded for these acts.
    mutating func snapshot(for acts: [any Act], now: Date) -> Snapshot {
        for _ in 0..<ids.blocksMissing(for: acts.reduce(0) { $0 + $1.mostIDs }) { ids.add(blocksFrom: [takeBlock()]) }
        var snapshot = Snapshot(stripes: Self.stripes, now: now, vatSettings: vatSettings, ids: ids)
        var found: [AccountCode: Account] = [:]
        for act in acts {
            let touches = act.touches
            let stripe = Stripe(of: act.user, among: Self.stripes)
            var codes =
                touches.systemAccounts.map { AccountCode.system($0, stripe) }
                + UserAccount.allCases.map { AccountCode.user($0, of: act.user) }
                + [touches.provider.map { AccountCode.earnings(of: $0, stripe) }].compactMap(\.self)
            if let gift = touches.gift { codes += accounts(ofGiftFrom: act.user, to: gift.receiver) }
            let taxes: [SystemAccount] = vatSettings.isBooked ? [.vatPayable, .vatDeferred] : []
            for code in codes + taxes.map({ .system($0, stripe) }) + payableCodes(touches.provider, stripe) {
                found[code] = accounts[code]
            }
            if let payment = touches.payment { snapshot.purchases += known(payment) }
            if let gift = touches.gift {
                let giveable = giveableLots(of: act.user, gift.rules.coins, in: snapshot)
                snapshot.lots += giveable
                snapshot.giveable[act.user] = giveable.map(\.id)
            }
            if let key = act.keyed?.idempotencyKey, let outcome = recorded[key] { snapshot.recorded.append(outcome) }
            snapshot.lots += lots(touches)
            if touches.debtHistory { snapshot.debts[act.user] = histories[act.user] }
            let refunds = refunds(touches)
            snapshot.refunds += refunds
            snapshot.disputes += disputes(touches)
            if !touches.purchaseLots.isEmpty, let purchase = touches.purchase {
                snapshot.losses += (disputesByPurchase[purchase] ?? []).compactMap { id in losses[id].map { (id, $0) } }
            }
            if touches.restores, let purchase = touches.purchase, let last = standing[purchase]?.last {
                snapshot.clawBacks.append((purchase, last))
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

    private func accounts(ofGiftFrom giver: UserID, to receiver: UserID) -> [AccountCode] {
        let stripes = Set([giver, receiver].map { Stripe(of: $0, among: Self.stripes) })
        return UserAccount.allCases.map { .user($0, of: receiver) }
            + stripes.flatMap { stripe in GiftTouch.accounts.map { .system($0, stripe) } }
    }

    /// The lots whose coins a user may give away, as the database finds them: none of purchases.
    private func giveableLots(of user: UserID, _ coins: GiveableCoins, in snapshot: Snapshot) -> [Lot] {
        func isGiveable(_ lot: Lot) -> Bool {
            lot.remaining > 0 && coins.kinds.contains(lot.kind) && !lot.isVoided && !lot.isExpired(at: snapshot.now)
                && lot.purchaseOfCoins == nil
        }
        let open: [Lot] = (openLotPlacesByUser[user] ?? []).map { lots[$0] }
        let giveable = open.filter(isGiveable).sorted(by: snapshot.lotOrdering.precedes)
        return Array(giveable.prefix(Gift.mostLots))
    }

    func addVATAccounts(to snapshot: inout Snapshot) {
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
        add(firstLotsOf: Array(touches.takers.keys), limit: limit, to: &snapshot)
        add(firstLotsOf: touches.payers.filter { debt(of: $0) > 0 }, limit: Self.lotsAnAct, to: &snapshot)
    }

    private func add(firstLotsOf users: [UserID], limit: Int, to snapshot: inout Snapshot) {
        let now = snapshot.now
        let order = snapshot.lotOrdering
        let first = users.flatMap { user in
            (openLotPlacesByUser[user] ?? []).map { lots[$0] }
                .filter { $0.remaining > 0 && !$0.isExpired(at: now) }
                .sorted(by: order.precedes).prefix(limit)
        }
        snapshot.add(firstLots: first, limit: limit)
    }

    func lots(_ touches: Touches) -> [Lot] {
        var places: [Int] = []
        if touches.takesBack, let payment = touches.payment {
            let purchases = known(payment).filter { $0.payment.paymentID == payment.paymentID }
            places += purchases.flatMap { placesOfLotsToTakeBack($0.id) }
        }
        if let purchase = touches.purchase { places += placesOfLotsToTakeBack(purchase) }
        // A refund that was approved before is read only for its status.
        let refunds = refunds(touches).filter { $0.status != .approved || $0.id == touches.refund }
        places += refunds.flatMap { lotPlacesByPurchase[$0.purchaseID] ?? [] }
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

    /// Refunds that the act names or must not run into.
    func refunds(_ touches: Touches) -> [Refund] {
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
    func disputes(_ touches: Touches) -> [(dispute: Dispute, frozen: FrozenCoins)] {
        var purchases = [touches.purchase, touches.refund.flatMap { refunds[$0]?.purchaseID }].compactMap(\.self)
        if touches.takesBack, let payment = touches.payment {
            purchases += known(payment).filter { $0.payment.paymentID == payment.paymentID }.map(\.id)
        }
        return Set(purchases).flatMap { disputesByPurchase[$0] ?? [] }.sorted().compactMap { disputes[$0] }
            .map { ($0, frozen[$0.purchaseID] ?? FrozenCoins()) }
    }
}
