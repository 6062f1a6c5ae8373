import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// Bonus coins that were used are charged against paid coins when the payment goes back.
@Suite(.timeLimit(.minutes(20))) struct UsedBonusTests {
    /// ₩10,000 for 1,000 paid coins and 100 bonus coins.
    private static func with(
        spent: Int64 = 0, _ body: (Ledger, TestLedger, Purchase) async throws -> Void
    ) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(coins: 1000, bonus: 100, won: 10_000))
            if spent > 0 { _ = try await ledger.submit(Spend.sample(coins: spent)) }
            try await body(ledger, test, purchase)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a gift that was used is paid for, coin by coin, and the money is earned`() async throws {
        try await Self.with(spent: 100) { ledger, test, purchase in
            let quote = try await ledger.refunds.quote(for: nil, of: purchase, policy: .free)
            #expect(quote.coins == 1000 && quote.bonusCoins == 0 && quote.bonusCharged == 100)
            #expect(quote.value == 9000 && quote.amount == 9000 && quote.refusal == nil)
            let refund = try await ledger.begin(.sample(of: purchase.id))
            #expect(refund.coins == 1000 && refund.bonusCharged == 100 && refund.amount == 9000)
            let decided = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
            #expect(decided.balance.total == 0 && decided.balance.debt == 0)
            #expect(decided.purchase.refundedCoins == 900 && decided.purchase.chargedCoins == 100)
            #expect(decided.purchase.status == .partiallyRefunded)
            #expect(try await test.revenue == 1000)
            #expect(try await test.total("coins:deferred-revenue") == 0)
            #expect(try await test.total("coins:issued") == 100)
            #expect(try await test.total("coins:promotions") == 0)
            #expect(try await ledger.refunds.quote(for: nil, of: decided.purchase, policy: .free).refusal != nil)
        }
    }

    @Test func `forgiven, it is left to the user`() async throws {
        try await Self.with(spent: 100) { ledger, test, purchase in
            let refund = try await ledger.begin(.sample(of: purchase.id, usedBonus: .forgive))
            #expect(refund.bonusCharged == 0 && refund.amount == 10_000)
            let decided = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
            #expect(decided.purchase.status == .refunded && decided.balance.total == 0)
            #expect(try await test.revenue == 0)
        }
    }

    @Test func `of a part only its part of the gift is charged, and parts add up to the whole`() async throws {
        try await Self.with(spent: 100) { ledger, test, purchase in
            var (won, charged): (Int64, Int64) = (0, 0)
            for (number, coins) in [10, 9, 481, 250, 250].enumerated() {
                let refund = try await ledger.begin(.sample("r\(number)", of: purchase.id, coins: Int64(coins)))
                if number == 0 { #expect(refund.bonusCharged == 1 && refund.value == 90) }
                if number == 1 { #expect(refund.bonusCharged == 0 && refund.value == 90) }
                _ = try await ledger.submit(CompleteRefund.sample(refund))
                (won, charged) = (won + refund.amount, charged + refund.bonusCharged)
            }
            #expect(won == 9000 && charged == 100)
            #expect(try await ledger.balances.find(of: purchase.user).total == 0)
            #expect(try await test.revenue == 1000)
        }
    }

    @Test func `what is left of the gift goes first, and only the rest is charged`() async throws {
        try await Self.with(spent: 40) { ledger, test, purchase in
            let half = try await ledger.begin(.sample(of: purchase.id, coins: 500))
            #expect(half.bonusCoins == 50 && half.bonusCharged == 0 && half.amount == 5000)
            _ = try await ledger.submit(CompleteRefund.sample(half))
            let rest = try await ledger.begin(.sample("rest", of: purchase.id))
            #expect(rest.bonusCoins == 10 && rest.bonusCharged == 40 && rest.amount == 4600)
            _ = try await ledger.submit(CompleteRefund.sample(rest))
            #expect(try await ledger.balances.find(of: purchase.user).total == 0)
        }
    }

    @Test func `a gift that is held is charged, forgiven or not, and is the user's when it comes back`() async throws {
        try await Self.with { ledger, test, purchase in
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            let refund = try await ledger.begin(.sample(of: purchase.id, usedBonus: .forgive))
            #expect(refund.bonusCharged == 100 && refund.amount == 9000)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let voided = try #require(try await ledger.submit(VoidHold.sample(of: hold.id)).voided)
            #expect(voided.balance.bonus == 100 && voided.balance.total == 100)
        }
    }

    @Test func `a gift that expired was not used, and is not charged`() async throws {
        let end = Date(timeIntervalSince1970: 1_767_312_000)
        try await TestLedger.with(at: end - 3600) { ledger, test, clock in
            let sold = CreditPurchase.sample(coins: 1000, bonus: 100, won: 10_000, bonusExpiresAt: end)
            let purchase = try await ledger.buy(sold)
            _ = try await ledger.submit(Spend.sample(coins: 30))
            try await clock.set(to: end + 60)
            let before = try await ledger.submit(BeginRefund.sample(of: purchase.id, coins: 10)).begun
            #expect(before?.bonusCharged == 0 && before?.bonusCoins == 0)
            _ = try await ledger.submit(CompleteRefund.sample(try #require(before)))
            try await ledger.expireLots()
            let refund = try await ledger.begin(.sample("rest", of: purchase.id))
            #expect(refund.bonusCharged == 30 && refund.amount == 9600, "30 were used, 70 expired")
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            #expect(try await test.total("coins:expired") == 70)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a user who used as many coins as were paid for is refunded nothing`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(coins: 100, bonus: 100))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            #expect(try await ledger.submit(BeginRefund.sample(of: purchase.id)).refusal == .nothingToRefund)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [9000, 4500, 90, 8990] as [Int64])
    func `a cancellation in the gateway's console has the same result as a refund of as much`(won: Int64) async throws {
        try await Self.with(spent: 100) { ledger, test, purchase in
            let clawedBack = try #require(try await ledger.clawBack(purchase, won).clawedBack)
            let asked = won / 9  // a tenth is charged: 1,000 coins go for ₩9,000
            let other = try await ledger.buy(.sample(2, by: "bob", coins: 1000, bonus: 100, won: 10_000))
            _ = try await ledger.submit(Spend.sample("bobs", by: "bob", coins: 100))
            let coins = won == 8990 ? 998 : asked
            let refund = try await ledger.begin(.sample("bobs-refund", of: other.id, by: "bob", coins: coins))
            #expect(refund.amount == won)
            let decided = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
            #expect(decided.balance.paid == clawedBack.balance.paid && decided.balance.debt == 0)
            #expect(clawedBack.balance.debt == 0 && clawedBack.balance.bonus == 0)
            #expect(decided.purchase.chargedCoins == clawedBack.purchase.chargedCoins)
            #expect(decided.purchase.refundedBonusCoins == clawedBack.purchase.refundedBonusCoins)
        }
    }

    @Test func `cancelled whole, the gift is owed; forgiven, it is not; held, it is in any case`() async throws {
        for (usedBonus, debt) in [(UsedBonus.charge, 100), (.forgive, 30)] as [(UsedBonus, Int64)] {
            try await TestLedger.with { ledger, test in
                let purchase = try await ledger.buy(.sample(coins: 1000, bonus: 100, won: 10_000))
                _ = try await ledger.submit(Spend.sample(coins: 70))
                _ = try await ledger.submit(PlaceHold.sample(coins: 30))
                let clawBack = ClawBack.sample(of: purchase, 10_000, usedBonus: usedBonus)
                let balance = try #require(try await ledger.submit(clawBack).clawedBack).balance
                #expect(balance.debt == debt && balance.paid == 0 && balance.held == 30)
                try await Audit.expectSound(test)
            }
        }
    }

    @Test func `a refund recorded before this is still answered`() throws {
        let refund = Refund(
            id: 1, purchaseID: 2, user: .named("ann"), status: .pending, coins: 3, bonusCoins: 0, charged: nil,
            value: 4,
            fee: 0, currency: .won, explanation: "why", believedBalance: 4, requestedAt: Date(), journalEntryID: 5,
            feeRule: nil, feeWaiver: nil, feeVAT: nil, expired: nil)
        let recorded = try JSONEncoder().encode(refund)
        #expect(!String(decoding: recorded, as: UTF8.self).contains("charged"))
        #expect(try JSONDecoder().decode(Refund.self, from: recorded).bonusCharged == 0)
    }
}
