import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

// What was paid of the debt that a lost dispute left, and what was not.
extension WonAfterLossTests {
    /// What paid the debt stays used in their place.
    @Test(arguments: ["coins", "won", "write-off"])
    func `a debt that was paid comes back as coins of the purchase, and one that was written off does not`(
        by payment: String
    ) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 30))
            let dispute = try await ledger.lose(purchase).dispute
            switch payment {
            case "coins": _ = try await ledger.buy(.sample(2, bonus: 0))
            case "won": _ = try await ledger.submit(PayDebtByBank.sample(won: 300))
            default: _ = try await ledger.submit(WriteOffDebt.sample())
            }
            let won = try #require(try await ledger.submit(try await ledger.win("won", dispute)).disputed)
            let expected: Int64 = ["coins": 170, "won": 100, "write-off": 70][payment] ?? 0
            #expect(won.balance.paid == expected && won.balance.debt == 0, "\(won)")
            #expect(
                try await test.number("SELECT deferred FROM lot WHERE purchase_id = \(purchase.id)")
                    == (payment == "write-off" ? 700 : 1000))
            #expect(try await test.balance(of: .revenue) == 300)
            #expect(try await test.balance(of: .coinsWrittenOff) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a part of a debt that was paid comes back, and the other is owed no more`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 100))  // the lot is used up
            let dispute = try await ledger.lose(purchase).dispute
            _ = try await ledger.submit(Grant.sample(coins: 40))
            let won = try #require(try await ledger.submit(try await ledger.win("won", dispute)).disputed)
            #expect(won.balance.paid == 40 && won.balance.debt == 0)
            #expect(try await test.balance(of: .revenue) == 600)
            #expect(try await test.balance(of: .deferredRevenue) == 400)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that come back pay another debt at once`() async throws {
        try await TestLedger.with { ledger, test in
            let used = try await ledger.buy(.sample(2, bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let dispute = try await ledger.lose(purchase).dispute
            #expect(try await ledger.clawBack(used, 700).clawedBack?.balance.debt == 70)
            let won = try #require(try await ledger.submit(try await ledger.win("won", dispute)).disputed)
            #expect(won.balance.debt == 0 && won.balance.paid == 30, "\(won)")
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [false, true])
    func `what an earlier cancellation of the payment made a debt of stays`(isWrittenOffFirst: Bool) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let spent = try await ledger.submit(Spend.sample(coins: 100)).redeemed
            _ = try await ledger.clawBack(purchase, 300)
            if isWrittenOffFirst { _ = try await ledger.submit(WriteOffDebt.sample()) }
            let dispute = try await ledger.lose(purchase).dispute
            let won = try #require(try await ledger.submit(try await ledger.win("won", dispute)).disputed)
            #expect(won.amount == 700 && won.balance.debt == (isWrittenOffFirst ? 0 : 30))
            if !isWrittenOffFirst { _ = try await ledger.submit(WriteOffDebt.sample()) }
            // 30 of the used coins have no money, so as many as were written off go again.
            let back = try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed
            #expect(back?.balance.paid == 70 && back?.balance.debt == 0)
            #expect(try await test.balance(of: .coinsWrittenOff) == 0)
            try await Audit.expectSound(test)
        }
    }
}
