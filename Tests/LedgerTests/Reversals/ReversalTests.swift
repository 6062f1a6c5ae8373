import CivilTime
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Spends and captures that are taken back.
@Suite(.timeLimit(.minutes(20))) struct ReversalTests {
    @Test func `a reversed spend leaves balances, lots and revenue as if it had not been`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let before = try await Books(of: "ann", ledger, test)
            let quote = try await ledger.refunds.quote(for: nil, of: purchase, policy: .free)
            let spent = try #require(try await ledger.submit(Spend.sample(coins: 30)).redeemed)
            #expect(try await Books(of: "ann", ledger, test).revenue == 200)

            let reversed = try #require(try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed)
            #expect(reversed.coins == 30 && reversed.left == 0 && reversed.redemptionID == spent.id)
            #expect(
                reversed.lots.coins(.paid) == 20 && reversed.lots.coins(.bonus) == 10 && reversed.lots.amount == 200)
            #expect(reversed.balance.paid == 100 && reversed.balance.bonus == 10)
            #expect(try await Books(of: "ann", ledger, test) == before)
            #expect(try await ledger.refunds.quote(for: nil, of: purchase, policy: .free) == quote)
            let refund = try await ledger.begin(.sample(of: purchase.id))
            #expect(refund.value == 1000 && refund.coins == 100 && refund.bonusCoins == 10 && refund.bonusCharged == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the coins that were used last come back first, each with its won`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(coins: 3, bonus: 2, won: 1000))
            let spent = try #require(try await ledger.submit(Spend.sample(coins: 4)).redeemed)
            #expect(spent.left.map(\.coins) == [2, 2] && spent.left.amount == 666)
            func back(_ key: String, _ coins: Int64) async throws -> RedemptionReversed? {
                try await ledger.submit(ReverseRedemption.sample(key, of: spent, coins: coins)).reversed
            }
            let first = try #require(try await back("a", 1))
            #expect(first.lots.map(\.kind) == [.paid] && first.lots.amount == 333 && first.left == 3)
            let second = try #require(try await back("b", 2))
            #expect(second.lots.map(\.kind) == [.paid, .bonus] && second.lots.amount == 333 && second.left == 1)
            #expect(second.balance.paid == 3 && second.balance.bonus == 1)

            let much = try await ledger.submit(ReverseRedemption.sample("c", of: spent, coins: 2))
            #expect(much.refusal == .exceedsRedemption(required: 2, available: 1))
            #expect(try await back("d", 1)?.left == 0)
            #expect(try await ledger.submit(ReverseRedemption.sample("e", of: spent)).refusal == .alreadyReversed)
            #expect(try await Books(of: "ann", ledger, test).revenue == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a reversed capture takes the coins from the provider, and leaves the hold as it is`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 60)).placed?.hold)
            let first = try await ledger.submit(
                CaptureHold.sample("c1", of: hold.id, coins: 25, provider: "zoe")
            ).redeemed
            let second = try await ledger.submit(
                CaptureHold.sample("c2", of: hold.id, coins: 20, isFinal: true)
            ).redeemed
            let back = try #require(
                try await ledger.submit(ReverseRedemption.sample("r1", of: first, coins: 20)).reversed)
            #expect(back.provider == .named("zoe") && back.lots.amount == 150 && back.left == 5)
            #expect(try await ledger.balances.earnings(of: .named("zoe")) == 5)
            _ = try await ledger.submit(ReverseRedemption.sample("r2", of: second))
            let books = try await Books(of: "ann", ledger, test)
            #expect(books.revenue == 0 && books.balance.total == 105)
            let now = try #require(try await ledger.holds.find(hold.id))
            #expect(now.captured == 45 && now.released == 15 && now.status == .captured)
            try await Audit.expectSound(test)
        }
    }

    @Test func `only the user's own spends and captures are reversed`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            _ = try await ledger.credit(.sample(2, by: "bob"))
            let spent = try #require(try await ledger.submit(Spend.sample(coins: 30)).redeemed)
            for wrong in [
                Redemption(id: spent.id, act: .spend, user: .named("bob"), provider: nil, left: []),
                Redemption(id: spent.id, act: .capture(holdID: 7), user: spent.user, provider: nil, left: []),
                Redemption(id: spent.id, act: .spend, user: spent.user, provider: .named("zoe"), left: []),
                Redemption(id: 7, act: .spend, user: spent.user, provider: nil, left: []),
            ] {
                let answer = try await ledger.submit(ReverseRedemption.sample("key-\(wrong)", of: wrong))
                #expect(answer.refusal == .noSuchRedemption, "\(wrong)")
            }
            #expect(try await ledger.redemptions.find(spent.id) == spent)
            #expect(try await ledger.redemptions.find(7) == nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a key reverses once, and many at once give back no more than was spent`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let spent = try await ledger.submit(Spend.sample(coins: 90)).redeemed
            let answers = try await together(60) { number in
                // Each key twice.
                try await ledger.submit(ReverseRedemption.sample("key-\(number / 2)", of: spent, coins: 7))
            }
            #expect(answers.count { $0.reversed != nil && !$0.isRepeat } == 12)
            #expect(answers.count { $0.reversed != nil } == 24)
            #expect(
                answers.filter { $0.reversed == nil }.allSatisfy {
                    $0.refusal == .exceedsRedemption(required: 7, available: 6)
                })
            #expect(try await ledger.redemptions.find(sure(spent).id)?.coins == 6)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 104)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [0, 3600] as [Int64])
    func `coins of a lot that has expired meanwhile can be used for the grace, or expire at once`(
        grace: Int64
    ) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(bonus: 0, expiresAt: Date(timeIntervalSinceNow: 3600)))
            let spent = try await ledger.submit(Spend.sample(coins: 40)).redeemed
            try await test.agePastExpiry()
            try await ledger.expireLots()
            #expect(try await Books(of: "ann", ledger, test).breakage == 600)

            let reversed = try await ledger.submit(ReverseRedemption.sample(of: spent, grace: grace)).reversed
            #expect(reversed?.balance.paid == 40 && reversed?.lots.amount == 400)
            let spend = try await ledger.submit(Spend.sample("again", coins: 40))
            if grace > 0 {
                #expect(spend.spent?.lots.amount == 400)
            } else {
                #expect(spend.refusal == .insufficientCoins(required: 40, available: 0))
                try await ledger.expireLots()
                #expect(try await Books(of: "ann", ledger, test).breakage == 1000)
            }
            let again = try await ledger.submit(ReverseRedemption.sample("again", of: spent, grace: grace))
            #expect(again.refusal == .idempotencyKeyReused || again.refusal == .alreadyReversed)
            try await Audit.expectSound(test)
        }
    }

    @Test func `after the gateway took the payment back, the coins pay the debt that the spend left`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            _ = try await ledger.clawBack(purchase, 1000)
            #expect(try await ledger.balances.find(of: .named("ann")).debt == 30)
            let reversed = try await ledger.submit(ReverseRedemption.sample(of: spent, coins: 20)).reversed
            #expect(reversed?.balance.debt == 10 && reversed?.balance.total == 0)
            _ = try await ledger.submit(ReverseRedemption.sample("rest", of: spent))
            let books = try await Books(of: "ann", ledger, test)
            #expect(books.balance.debt == 0 && books.balance.total == 0 && books.revenue == 0 && books.deferred == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins of a payment that went back whole come back, but for no money`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            _ = try await ledger.clawBack(purchase, 1000)
            _ = try await ledger.credit(.sample(2, bonus: 0, won: 3000))
            #expect(try await ledger.balances.find(of: .named("ann")).paid == 70)
            let reversed = try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed
            #expect(reversed?.balance.paid == 100)
            let quote = try await ledger.refunds.quote(
                for: nil, of: sure(try await ledger.purchases.find(purchase.id)), policy: .free)
            #expect(quote.refusal == .nothingToRefund)
            let books = try await Books(of: "ann", ledger, test)
            // 30 coins of the second purchase paid for the spend: ₩900, of which ₩300 are deferred again for the first's.
            #expect(books.revenue == 600 && books.deferred == 2400)
            try await Audit.expectSound(test)
        }
    }

    @Test func `reports of before the reversal stay as they were`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(bonus: 0, expiresAt: Date(timeIntervalSinceNow: 3600)))
            let spent = try await ledger.submit(Spend.sample(coins: 40)).redeemed
            try await test.agePastExpiry()
            try await ledger.expireLots()
            try await ledger.events.publisher.publish()
            let moment = RFC3339.string(from: Date())
            let before = try await ledger.export(.lots, [.asOf: moment]).text
            let events = try await ledger.events.everything()
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent, grace: 3600))
            #expect(try await ledger.export(.lots, [.asOf: moment]).text == before)
            #expect(try await ledger.export(.lots).text != before)
            try await ledger.events.publisher.publish()
            let after = try await ledger.events.everything()
            #expect(after.dropLast().map { $0.entry?.fact?.expiry } == events.map { $0.entry?.fact?.expiry })
            #expect(after.last?.type == .spendReversed && after.last?.user == .named("ann"))
            guard case .reversal(let redemption, nil, 40, 400)? = after.last?.entry?.fact else {
                Issue.record("\(after)")
                return
            }
            #expect(redemption == spent?.id && after.last?.entry?.lots.coins(.paid) == 40)
        }
    }
}

/// What reversals must leave as it was.
private struct Books: Equatable {
    let balance: Balance
    let lots: [[Int64]]
    let revenue: Int64
    let deferred: Int64
    let breakage: Int64

    init(of user: String, _ ledger: Ledger, _ test: TestLedger) async throws {
        balance = try await ledger.balances.find(of: .named(user))
        lots = try await ledger.lots.list(of: .named(user), limit: 100).elements
            .map { [$0.id, $0.remaining, $0.held, $0.deferred] }
        revenue = try await test.balance(of: .revenue)
        deferred = try await test.balance(of: .deferredRevenue)
        breakage = try await test.balance(of: .breakage)
    }
}

extension EventEntry.Fact {
    fileprivate var expiry: Date? { if case .lot(let lot) = self { lot.expiresAt } else { nil } }
}

extension TestLedger {
    /// Makes all lots expire a minute ago, as if they had been bought earlier.
    fileprivate func agePastExpiry() async throws {
        try await execute("UPDATE lot SET expires_at = now() - interval '1 minute' WHERE expires_at IS NOT NULL")
    }
}
