import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// The gateway's console and our own refunds, in every order.
@Suite(.timeLimit(.minutes(20))) struct RefundClawBackTests {
    @Test func `our own cancellation, heard of before the refund is completed, is not clawed back`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 50, feePercent: 10))
            let heard = try await ledger.clawBack(purchase, 450)
            #expect(heard.isRepeat && heard.clawedBack?.coins == 0)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            #expect(try await ledger.clawBack(purchase, 450).isRepeat)
            #expect(try await ledger.balances.find(of: purchase.user).paid == 50)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what the console cancels beside a pending refund is clawed back once, and both add up`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 50))
            let clawedBack = try #require(try await ledger.clawBack(purchase, 800).clawedBack)
            #expect(clawedBack.coins == 30 && clawedBack.purchase.refundedAmount == 300)
            #expect(try await ledger.clawBack(purchase, 800).isRepeat)
            try await Audit.expectSound(test)
            let decided = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
            #expect(decided.purchase.refundedAmount == 800 && decided.purchase.refundedCoins == 80)
            #expect(decided.balance.paid == 20 && decided.balance.held == 0 && decided.balance.debt == 0)
            _ = try await ledger.clawBack(purchase, 1000)
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.total == 0 && balance.debt == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `when the console was first, the refund is released and all of it clawed back`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 50))
            #expect(try await ledger.clawBack(purchase, 1000).clawedBack?.coins == 50)
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            #expect(try await ledger.clawBack(purchase, 1000).clawedBack?.coins == 50)
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.total == 0 && balance.debt == 0)
            #expect(try await ledger.purchases.find(purchase.id)?.status == .refunded)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a fee that was kept and is cancelled later takes no coins twice`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 60, feePercent: 50))
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            // 300 went back for 60 coins. Of 600 in all the coins' part is 60, which are gone.
            #expect(try await ledger.clawBack(purchase, 600).clawedBack?.coins == 0)
            #expect(try await ledger.clawBack(purchase, 900).clawedBack?.coins == 30)
            let last = try #require(try await ledger.clawBack(purchase, 1000).clawedBack)
            #expect(last.coins == 10 && last.purchase.refundedCoins == 100)
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.total == 0 && balance.debt == 0)
            let revenue = try await test.number(
                "SELECT sum(balance)::int8 FROM account WHERE code LIKE 'revenue:%'")
            #expect(revenue == 0, "all of the money went back")
            try await Audit.expectSound(test)
        }
    }

    /// With a fee of 10 %, ₩100 are cancelled beside the refund of all coins, which the gateway then refuses.
    @Test(arguments: [[100, 1000], [1000]] as [[Int64]])
    func `no coins survive a payment that was cancelled whole while a refund of it waited`(heard: [Int64]) async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, feePercent: 10))
            for cancelled in heard { _ = try await ledger.clawBack(purchase, cancelled) }
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 100)
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            let last = try #require(try await ledger.clawBack(purchase, 1000).clawedBack)
            #expect(last.purchase.refundedCoins == 100 && last.purchase.refundedBonusCoins == 10)
            #expect(last.balance.total == 0 && last.balance.debt == 0)
            for account in ["coins:deferred-revenue", "revenue:coins", "gateway:receivable", "coins:issued"] {
                #expect(try await test.total(account) == 0, "\(account)")
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `a gift that a refund charged is not asked for again by a later claw-back`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 10))  // all of the gift
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 50))
            #expect(refund.bonusCoins == 0 && refund.bonusCharged == 5 && refund.amount == 450)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let clawedBack = try #require(try await ledger.clawBack(purchase, 1000).clawedBack)
            #expect(clawedBack.coins == 55 && clawedBack.bonusCoins == 5, "the other half of the gift")
            #expect(clawedBack.balance.debt == 10, "ten coins were used, and nothing was paid for them")
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that a hold kept through a claw-back are not paid for again`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 50)).placed).hold
            _ = try await ledger.clawBack(purchase, 1000)
            #expect(try await ledger.balances.find(of: purchase.user).debt == 50)
            _ = try await ledger.submit(Grant.sample(coins: 50))  // pays the debt off
            _ = try await ledger.submit(VoidHold.sample(of: hold.id))
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.paid == 50 && balance.debt == 0)
            #expect(try await ledger.submit(BeginRefund.sample(of: purchase.id)).refusal == .nothingToRefund)
            try await Audit.expectSound(test)
        }
    }
}

extension Ledger {
    /// The gateway says that so much of the purchase is cancelled in all.
    func clawBack(_ purchase: Purchase, _ cancelled: Int64) async throws -> Answer<ClawedBack> {
        try await submit(ClawBack.sample(of: purchase, cancelled))
    }
}
