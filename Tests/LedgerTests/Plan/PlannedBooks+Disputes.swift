import Testing

@testable import Ledger

extension PlannedBooks {
    /// Coins are frozen only while a dispute of their purchase is open, and no more are released than were frozen.
    ///
    /// - Parameter taken: what each entry took of lots.
    mutating func applyDisputes(of plan: Plan, _ taken: [Int64: [ClawBackLoss.Taken]]) throws {
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
                ? decision.moved.flatMap { loss(by: $0.journalEntryID, taken, in: plan) } : nil
            disputes[after.id] = after
        }
        // The gateway contradicts a loss that a person booked once.
        for win in plan.disputes.wins {
            try #require(wonAtGateway.insert(win.disputeID).inserted)
            disputes[win.disputeID]?.isResolvedAtGateway = true
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
        by entry: Int64, _ taken: [Int64: [ClawBackLoss.Taken]], in plan: Plan
    ) -> ClawBackLoss? {
        plan.purchases.reversals.first { $0.journalEntryID == entry }.map {
            ClawBackLoss(
                journalEntryID: entry, amount: $0.amount, foreignAmount: $0.foreignAmount, coins: $0.coins,
                bonusCoins: $0.bonusCoins, chargedCoins: $0.chargedCoins, lots: taken[entry] ?? [])
        }
    }

    /// Keeps what the claw-backs took that a store's reversal can give back.
    mutating func noteClawBacks(of plan: Plan, _ taken: [Int64: [ClawBackLoss.Taken]]) {
        let booked = Set(plan.disputes.decisions.compactMap { $0.moved?.journalEntryID })
        for entry in plan.journal.entries where entry.kind == .clawBack && !booked.contains(entry.id) {
            guard let reversal = plan.purchases.reversals.first(where: { $0.journalEntryID == entry.id }) else {
                continue
            }
            if let loss = loss(by: entry.id, taken, in: plan) {
                standing[reversal.purchaseID, default: []].append(loss)
            }
        }
        for reversed in plan.purchases.reversedClawBacks {
            standing[reversed.purchaseID]?.removeAll { $0.journalEntryID == reversed.clawBackID }
        }
    }

    /// A claw-back is reversed once, and whole; no more coins of each kind come back than it took or made a debt of.
    mutating func applyReversedClawBacks(of plan: Plan) throws {
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
}

extension Redemption {
    /// A claw-back as a redemption of which nothing came back yet.
    fileprivate init(_ taken: PurchaseReversal, of user: UserID) {
        self.init(id: taken.journalEntryID, act: .spend, user: user, provider: nil, left: [])
    }
}
