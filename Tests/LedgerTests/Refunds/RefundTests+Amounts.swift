import LedgerTestSupport
import Testing

@testable import Ledger

extension RefundTests {
    @Test func `coins that are worth less than a won are not given back for nothing`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(coins: 1000, bonus: 0, won: 10))
            #expect(
                try await ledger.submit(BeginRefund.sample(of: purchase.id, coins: 99)).refusal == .nothingToRefund)
            #expect(try await ledger.begin(.sample("whole", of: purchase.id)).value == 10)
            try await Audit.expectSound(test)
        }
    }

    @Test func `parts of a purchase add up to what was paid`() async throws {
        let sales: [(coins: Int64, won: Int64)] = [(3, 10), (7, 1000), (33, 1000), (100, 1), (1, 999), (97, 100_003)]
        try await TestLedger.with { ledger, test in
            for (number, sale) in sales.enumerated() {
                let user = "user-\(number)"
                let purchase = try await ledger.buy(
                    .sample(number, by: user, coins: sale.coins, bonus: 5, won: sale.won))
                let (paid, given) = try await Self.refundOneByOne(purchase, by: user, on: ledger)
                #expect(paid == sale.won && given == 5, "\(sale)")
                #expect(try await ledger.purchases.find(purchase.id)?.status == .refunded, "\(sale)")
                #expect(try await ledger.balances.find(of: purchase.user).total == 0, "\(sale)")
            }
            try await Audit.expectSound(test)
        }
    }

    /// Gives back coin by coin and, when one coin is worth nothing, the rest.
    ///
    /// - Returns: the won and the bonus coins that went back.
    private static func refundOneByOne(
        _ purchase: Purchase, by user: String, on ledger: Ledger
    ) async throws -> (paid: Int64, given: Int64) {
        var (paid, given, left): (Int64, Int64, Int64) = (0, 0, purchase.coins)
        while left > 0 {
            let answer = try await ledger.submit(
                BeginRefund.sample("\(user)-part-\(left)", of: purchase.id, by: user, coins: 1))
            guard let refund = answer.begun else {
                #expect(answer.refusal == .nothingToRefund)
                let rest = try await ledger.begin(.sample("\(user)-rest", of: purchase.id, by: user))
                #expect(rest.coins == left)
                _ = try await ledger.submit(CompleteRefund.sample(rest))
                (paid, given, left) = (paid + rest.amount, given + rest.bonusCoins, 0)
                continue
            }
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            (paid, given, left) = (paid + refund.amount, given + refund.bonusCoins, left - 1)
        }
        return (paid, given)
    }

    @Test func `bonus coins go with their part, as far as they are in the wallet`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Grant.sample(coins: 50))
            let first = try await ledger.begin(.sample("first", of: purchase.id, coins: 25))
            #expect(first.bonusCoins == 2, "two and a half, rounded down")
            _ = try await ledger.submit(CompleteRefund.sample(first))
            _ = try await ledger.submit(Spend.sample(coins: 5))
            let second = try await ledger.begin(.sample("second", of: purchase.id))
            #expect(second.coins == 75 && second.bonusCoins == 3)
            #expect(second.bonusCharged == 5 && second.value == 700, "what was spent of the gift is charged")
            _ = try await ledger.submit(CompleteRefund.sample(second))
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.bonus == 50 && balance.paid == 0 && balance.debt == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a fee is kept, rounded down, and leaves the purchase refunded whole`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0, won: 999))
            let quote = try await ledger.refunds.quote(for: nil, of: purchase, policy: RefundPolicy(feePercent: 10))
            #expect(quote.value == 999 && quote.fee == 99 && quote.amount == 900 && quote.refusal == nil)
            let refund = try await ledger.begin(.sample(of: purchase.id, feePercent: 10))
            #expect(refund.fee == quote.fee && refund.amount == quote.amount)
            let decided = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
            #expect(decided.purchase.status == .refunded && decided.purchase.refundedAmount == 900)
            #expect(
                try await test.number(
                    "SELECT sum(balance)::int8 FROM account WHERE code LIKE 'revenue:refund-fees/%'") == 99)
            #expect(
                try await ledger.submit(BeginRefund.sample("again", of: purchase.id)).refusal == .nothingToRefund)
            try await Audit.expectSound(test)
        }
    }
}
