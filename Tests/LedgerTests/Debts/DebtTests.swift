import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct DebtTests {
    /// ₩1,000 for 100 coins, of which 20 are spent before the payment is cancelled.
    private static func owing(_ ledger: Ledger) async throws {
        let purchase = CreditPurchase.sample(bonus: 0)
        _ = try await ledger.credit(purchase)
        _ = try await ledger.submit(Spend.sample(coins: 20))
        let clawBack = ClawBack.sample(of: purchase, 1000)
        #expect(try await ledger.submit(clawBack).isRepeat == false)
        #expect(try await ledger.submit(clawBack).isRepeat)
        let balance = try await ledger.balances.find(of: purchase.user)
        #expect(balance.debt == 20 && balance.total == 0)
    }

    @Test func `debt blocks spending and is paid off by the next credits`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.owing(ledger)
            let granted = try #require(try await ledger.submit(Grant.sample(coins: 5)).granted)
            #expect(granted.balance.debt == 15 && granted.balance.total == 0)
            let credited = try #require(try await ledger.credit(.sample(2)).credited)
            #expect(credited.balance.debt == 0 && credited.balance.paid == 95 && credited.balance.bonus == 0)
            #expect(try await ledger.submit(Spend.sample("spend-2", coins: 95)).spent?.balance.total == 0)
            // 200 of the cancelled purchase were recognised and taken back; all of the second one is used up.
            #expect(
                try await test.number("SELECT sum(balance)::int8 FROM account WHERE code LIKE 'revenue:coins/%'")
                    == 1000)
            try await Audit.expectSound(test)
        }
    }

    @Test func `other coins of a user in debt are not there to be spent`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample("before", coins: 50))
            _ = try await ledger.submit(Spend.sample("all", coins: 50))
            try await Self.owing(ledger)
            _ = try await ledger.submit(Grant.sample("few", coins: 3))
            #expect(
                try await ledger.submit(Spend.sample("some", coins: 1)).refusal
                    == .insufficientCoins(required: 1, available: 0))
            #expect(
                try await ledger.submit(PlaceHold.sample(coins: 1)).refusal
                    == .insufficientCoins(required: 1, available: 0))
            try await Audit.expectSound(test)
        }
    }
}
