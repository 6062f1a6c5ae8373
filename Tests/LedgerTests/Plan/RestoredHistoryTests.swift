import Foundation
import TestSupport
import Testing

@testable import Ledger

/// Random histories in which a store takes refunds back, at any time.
@Suite(.timeLimit(.minutes(20))) struct RestoredHistoryTests {
    @Test func `claw-backs that are reversed among all other acts leave the books as a simple model has them`() throws {
        let most = Effort.count(4_000, upTo: 40_000)
        var history = RandomHistory(seed: Effort.seed, largestBatch: 8, users: most / 130)
        var books = PlannedBooks()
        var model = NaiveLedger()
        var random = SplitMix64(seed: Effort.seed)
        var (count, restored, inPart, left) = (0, 0, 0, 0)
        var now = Date(timeIntervalSince1970: 1_767_225_600)
        // A history without any of either would prove little.
        while count < most || count < 4 * most && (restored < 10 || inPart == 0 || left == 0) {
            var acts = history.batch()
            if let reversal = books.reversal(using: &random) {
                acts.insert(reversal, at: .random(in: 0...acts.count, using: &random))
            }
            let plan = books.plan(acts, now: now)
            try books.apply(plan)
            history.learn(from: plan)
            try model.follow(acts, plan)
            restored += plan.purchases.reversedClawBacks.count
            inPart += plan.partlyRestored
            left += plan.answers.count { $0.answer?.clawBackReversed.map { $0.result != .givenBack } ?? false }
            count += acts.count
            now += 5
        }
        try books.checkAsAWhole()
        try model.expectSame(as: books)
        #expect(restored >= 10 && inPart > 0 && left > 0)
    }
}

extension Plan {
    /// How many purchases were given back and clawed back in one act.
    fileprivate var partlyRestored: Int {
        purchases.reversedClawBacks.count { reversed in
            purchases.reversals.contains {
                $0.purchaseID == reversed.purchaseID && $0.amount > 0 && $0.journalEntryID > reversed.journalEntryID
            }
        }
    }
}

extension PlannedBooks {
    /// The reversal of the last claw-back of a purchase; nil: none stands.
    fileprivate func reversal(using random: inout SplitMix64) -> ReverseClawBack? {
        let purchases = standing.filter { !$0.value.isEmpty }.keys.sorted()
        guard let id = purchases.randomElement(using: &random), let place = purchasePlaces[id],
            let loss = standing[id]?.last
        else { return nil }
        let lots = (lotPlacesByPurchase[id] ?? []).map { self.lots[$0].id }
        let purchase = self.purchases[place]
        // The store often still gave a part of it back.
        let told = ClawBack(
            user: purchase.user, payment: purchase.payment,
            cancelledAmount: .random(in: 0...max(0, purchase.cancelledAmount), using: &random),
            usedBonus: Bool.random(using: &random) ? .forgive : .charge, freezes: Bool.random(using: &random))
        return ReverseClawBack(
            ReversibleClawBack(journalEntryID: loss.journalEntryID, lots: lots), of: purchase, told: told,
            toldAt: .distantPast, grace: Bool.random(using: &random) ? 500 : 0)
    }
}
