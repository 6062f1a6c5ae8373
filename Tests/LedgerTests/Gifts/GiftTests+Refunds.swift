import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Given coins whose purchase is refunded or clawed back.
extension GiftTests {
    @Test func `a refund takes given coins back from all who have them`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Gift.sample("1", to: "bob", coins: 50))
            _ = try await ledger.submit(Gift.sample("2", from: "bob", to: "cat", coins: 20, rules: .paidOnly))
            _ = try await ledger.submit(Gift.sample("3", to: "dan", coins: 30))
            _ = try await ledger.submit(Spend.sample(by: "dan", coins: 11))  // its own coin, and ten that were given
            _ = try await ledger.submit(PlaceHold.sample(by: "cat", coins: 6))  // its own coin, and five
            let quote = try await ledger.refunds.quote(for: nil, of: purchase, policy: .free)
            #expect(quote.coins == 85 && quote.amount == 850)
            let refund = try #require(try await ledger.submit(BeginRefund.sample(of: purchase.id)).begun)
            #expect(refund.coins == 85 && refund.value == 850)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            for (user, available, held) in [("ann", 0, 0), ("bob", 1, 0), ("cat", 0, 6), ("dan", 0, 0)]
                as [(String, Int64, Int64)]
            {
                let balance = try await ledger.balances.find(of: .named(user))
                #expect(balance.available == available && balance.held == held && balance.debt == 0, "\(user)")
            }
            try await Self.expectSound(test)
        }
    }

    @Test func `a refund of a part takes the buyer's own coins first, then those that were given last`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Gift.sample("1", to: "bob", coins: 40))
            _ = try await ledger.submit(Gift.sample("2", to: "dan", coins: 40))
            #expect(
                try await ledger.submit(BeginRefund.sample("a", of: purchase.id, coins: 20, method: .bankTransfer))
                    .begun?.value == 200)
            #expect(try await ledger.balances.find(of: .named("dan")).available == 41)
            #expect(
                try await ledger.submit(BeginRefund.sample("b", of: purchase.id, coins: 15, method: .bankTransfer))
                    .begun?.value == 150)
            #expect(try await ledger.balances.find(of: .named("dan")).available == 26)
            #expect(try await ledger.balances.find(of: .named("bob")).available == 41)
            #expect(
                try await ledger.submit(BeginRefund.sample("c", of: purchase.id, coins: 66)).refusal
                    == .exceedsRefundable(required: 66, available: 65))
            #expect(try await ledger.balances.find(of: .named("bob")).available == 41, "a refusal moves nothing")
            try await Self.expectSound(test)
        }
    }

    @Test func `a claw-back takes what is left of given coins, and the rest is the buyer's debt alone`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Gift.sample("1", to: "bob", coins: 60))
            _ = try await ledger.submit(Gift.sample("2", from: "bob", to: "cat", coins: 25, rules: .paidOnly))
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 11))  // its own coin, and ten that were given
            let part = try #require(try await ledger.submit(ClawBack.sample(of: purchase, 500)).clawedBack)
            #expect(part.coins == 50 && part.balance.debt == 0)
            #expect(
                try await ledger.balances.find(of: .named("cat")).available == 16, "of 25 given last, ten are missing")
            let rest = try #require(try await ledger.submit(ClawBack.sample(of: purchase, 1000)).clawedBack)
            #expect(rest.coins == 50 && rest.balance.debt == 10)
            for user in ["bob", "cat"] {
                #expect(try await ledger.balances.find(of: .named(user)).debt == 0)
            }
            #expect(try await ledger.balances.find(of: .named("bob")).available == 0)
            #expect(try await ledger.balances.find(of: .named("cat")).available == 1)
            try await Self.expectSound(test)
        }
    }

    @Test func `bonus coins that are due come back, too`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Gift.sample("1", to: "bob", coins: 60))  // ten of them are bonus coins
            let refund = try #require(try await ledger.submit(BeginRefund.sample(of: purchase.id, coins: 100)).begun)
            #expect(refund.coins == 100 && refund.bonusCoins == 10 && refund.bonusCharged == 0 && refund.fee == 0)
            #expect(try await ledger.balances.find(of: .named("bob")).total == 1)
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            #expect(try await ledger.balances.find(of: .named("ann")).available == 110, "they stay with the buyer")
            try await Self.expectSound(test)
        }
    }

    @Test func `coins that a holder used and gets back stay, after the purchase was clawed back`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Gift.sample(to: "bob", coins: 100))
            let spent = try await ledger.submit(Spend.sample(by: "bob", coins: 101)).redeemed
            #expect(try await ledger.submit(ClawBack.sample(of: purchase, 1000)).clawedBack?.balance.debt == 100)
            #expect(try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed?.balance.available == 101)
            #expect(try await ledger.balances.find(of: .named("ann")).debt == 100)
            try await Self.expectSound(test)
        }
    }

    @Test func `gifts race with the refund of their purchase, and every coin has one end`() async throws {
        try await TestLedger.with(writers: 2, batchLimit: 4) { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample(coins: 1000, bonus: 0, won: 10_000))
            _ = try await together(60) { number in
                switch number % 6 {
                case 0, 1: _ = try await ledger.submit(Gift.sample("to-bob-\(number)", to: "bob", coins: 7))
                case 2: _ = try await ledger.submit(Gift.sample("on-\(number)", from: "bob", to: "cat", coins: 3))
                case 3: _ = try await ledger.submit(Spend.sample("spend-\(number)", by: "cat", coins: 2))
                case 4:
                    _ = try await ledger.submit(
                        BeginRefund.sample("refund-\(number)", of: purchase.id, coins: 90, method: .bankTransfer))
                default: _ = try await ledger.submit(ClawBack.sample(of: purchase, Int64(number) * 100))
                }
            }
            for user in ["bob", "cat"] { #expect(try await ledger.balances.find(of: .named(user)).debt == 0) }
            try await Self.expectSound(test)
        }
    }
}
