import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Spends that are taken back with the refund of their purchase, as one act.
@Suite(.timeLimit(.minutes(20))) struct TakeBackTests {
    /// Spends of ann, each under a key of its own.
    private func spend(_ coins: [Int64], _ ledger: Ledger) async throws -> [Redemption?] {
        var spent: [Redemption?] = []
        for (number, coins) in coins.enumerated() {
            spent.append(try await ledger.submit(Spend.sample("spend-\(number)", coins: coins)).redeemed)
        }
        return spent
    }

    private func entries(_ test: TestLedger) async throws -> Int64 {
        try await test.number("SELECT count(*) FROM journal_entry")
    }

    @Test func `all coins of a purchase come back and are on hold for its refund, once`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let spent = try await spend([30, 50], ledger)
            let act = TakeBackAndRefund.sample(of: spent, and: purchase)
            let before = try await entries(test)
            let preview = try await ledger.previews.preview(TakeBackAndRefund.sample("p", of: spent, and: purchase))
            #expect(try await entries(test) == before, "a preview stores nothing")

            let answers = try await together(40) { _ in try await ledger.submit(act) }
            let made = try #require(answers.first?.takenBack)
            #expect(answers.allSatisfy { $0.takenBack == made } && answers.count { !$0.isRepeat } == 1)
            #expect(made.reversals.map(\.coins) == [30, 50] && made.returned == 80)
            #expect(made.refund.coins == 100 && made.refund.bonusCoins == 10 && made.refund.amount == 1000)
            #expect(made.refund.status == .pending && made.balance.paid == 0 && made.balance.bonus == 0)
            #expect(made.balance.held == 110)
            #expect(preview.takenBack?.refund.amount == 1000 && preview.takenBack?.returned == 80)
            #expect(preview.takenBack?.balance == made.balance)
            #expect(try await entries(test) == before + 3)
            // Each part is an act of its own, so it can't be done again.
            let again = try await ledger.submit(ReverseRedemption.sample(of: spent[0]))
            #expect(again.refusal == .alreadyReversed)
            _ = try await ledger.submit(CompleteRefund.sample(made.refund))
            #expect(try await ledger.balances.find(of: .named("ann")).debt == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refusal of any part leaves everything as it was`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let spent = try await spend([30, 50, 20], ledger)
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent[2]))
            let other = try await ledger.buy(.sample(2))
            let bob = try await ledger.buy(.sample(3, by: "bob"))
            let theirs = try await ledger.submit(Spend.sample("bob", by: "bob", coins: 5)).redeemed
            let before = try await entries(test)
            let balance = try await ledger.balances.find(of: .named("ann"))
            let last = try #require(spent[2]).id
            let cases: [([Redemption?], Purchase, TakeBackTerms, Refusal)] = [
                ([spent[0], spent[2]], purchase, .none, .redemptionAlreadyReversed(entry: last)),
                ([spent[0], theirs], purchase, .none, .noSuchRedemptionOf(entry: try #require(theirs).id)),
                ([spent[0]], other, .none, .redemptionOfOtherPurchase(entry: try #require(spent[0]).id)),
                ([theirs, spent[0]], bob, .none, .noSuchRedemptionOf(entry: try #require(spent[0]).id)),
                ([spent[0]], purchase, TakeBackTerms(returning: 31), .changedMeanwhile),
                (
                    [spent[0], spent[1]], purchase, TakeBackTerms(mostReturned: 79),
                    .exceedsOwnLimit(required: 80, available: 79)
                ),
                ([spent[0]], purchase, TakeBackTerms(refund: RefundTerms(amount: 1)), .changedMeanwhile),
                (
                    [spent[0], spent[1]], purchase, TakeBackTerms(refund: RefundTerms(mostInAll: 1)),
                    .exceedsOwnLimit(required: 1000, available: 1)
                ),
            ]
            for (number, (redemptions, purchase, terms, refusal)) in cases.enumerated() {
                let act = TakeBackAndRefund.sample("wrong-\(number)", of: redemptions, and: purchase, terms: terms)
                let answer = try await ledger.submit(act).refusal
                if case .exceedsOwnLimit(_, let available) = refusal {
                    guard case .exceedsOwnLimit(_, available)? = answer else {
                        Issue.record("\(number): \(String(describing: answer))")
                        continue
                    }
                } else {
                    #expect(answer == refusal, "\(number)")
                }
            }
            #expect(try await entries(test) == before)
            #expect(try await ledger.balances.find(of: .named("ann")) == balance)
            // A pending refund of the purchase stands in the way, and the key can be used again.
            let pending = try await ledger.begin(.sample(of: purchase.id, coins: 1))
            let act = TakeBackAndRefund.sample(of: [spent[0]], and: purchase)
            #expect(try await ledger.submit(act).refusal == .refundInProgress)
            _ = try await ledger.submit(ReleaseRefund.sample(pending))
            #expect(try await ledger.submit(act).takenBack?.reversals.count == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a disputed purchase is not refunded with it`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let spent = try await spend([30], ledger)
            try await test.execute(
                """
                INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
                SELECT nextval('record_id'), stripe, id, user_id, now(), 'not mine', now() FROM purchase
                """)
            let act = TakeBackAndRefund.sample(of: spent, and: purchase)
            #expect(try await ledger.submit(act).refusal == .purchaseDisputed)
            #expect(try await ledger.balances.find(of: .named("ann")).available == 80)
        }
    }

    @Test func `a capture takes the coins from the provider, and coins of other lots go back into theirs`() async throws
    {
        try await TestLedger.with { ledger, test in
            let first = try await ledger.buy(.sample(coins: 10, bonus: 0, won: 100))
            let second = try await ledger.buy(.sample(2, coins: 100, bonus: 0, won: 1000))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 60)).placed?.hold)
            let captured = try await ledger.submit(CaptureHold.sample(of: hold.id, coins: 60, provider: "zoe")).redeemed
            let spends = try await ledger.redemptions.list(ofPurchase: second)
            #expect(spends.map(\.ofPurchase) == [50] && spends.map(\.ofOthers) == [10])
            #expect(try await ledger.redemptions.list(ofPurchase: first).map(\.ofPurchase) == [10])
            let act = TakeBackAndRefund.sample(of: [captured], and: second)
            let made = try #require(try await ledger.submit(act).takenBack)
            #expect(made.refund.coins == 100 && made.balance.paid == 10)
            #expect(try await ledger.redemptions.list(ofPurchase: second).isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what is missing to a full refund is told by why`() async throws {
        try await TestLedger.with { ledger, _ in
            let purchase = try await ledger.buy(.sample(coins: 100, bonus: 0, won: 1000))
            let spent = try await spend([30, 20], ledger)
            _ = try await ledger.submit(PlaceHold.sample(coins: 5))
            let listed = try await ledger.redemptions.list(ofPurchase: purchase)
            #expect(listed.map(\.redemption.coins) == [20, 30])
            let answer = try await ledger.previews.preview(TakeBackAndRefund.sample(of: [spent[0]], and: purchase))
            let preview = TakeBackPreview(
                purchase: purchase, chosen: [try #require(spent[0]).id], outcome: answer.outcome, returnedBefore: 0)
            let quote = TakeBackQuote(preview, spends: listed)
            #expect(quote.made?.refund.amount == 750)
            #expect(quote.missing == TakeBackQuote.Missing(notChosen: 20, notInWallet: 5))
        }
    }
}

extension Answer {
    fileprivate var takenBack: Success? { if case .done(let made) = outcome { made } else { nil } }
}
