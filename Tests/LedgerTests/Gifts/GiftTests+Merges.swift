import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Gifts of users who are merged.
extension GiftTests {
    @Test func `a gift to a merged user is refused, and one of a merged user is the other's`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            _ = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(MergeUsers.sample("m-1", "bob", into: "cat"))
            #expect(try await ledger.submit(Gift.sample(coins: 10)).refusal == .receiverMerged(into: .named("cat")))
            #expect(try await ledger.submit(Gift.sample("to", to: "cat", coins: 10)).success?.coins == 10)
            _ = try await ledger.submit(MergeUsers.sample("m-2", "ann", into: "dan"))
            #expect(
                try await ledger.submit(Gift.sample("of", to: "cat", coins: 5)).success?.balance.user == .named("dan"))
            // Both are found by the refund of the purchase.
            _ = try await ledger.submit(MergeUsers.sample("m-3", "cat", into: "eve", isRename: true))
            _ = try await ledger.submit(ClawBack.sample(of: CreditPurchase.sample(bonus: 0), 1000))
            // What they met with, and the coin of dan that was given first.
            #expect(try await ledger.balances.find(of: .named("eve")).total == 3)
            #expect(try await ledger.balances.find(of: .named("dan")).debt == 0)
            try await Self.expectSound(test)
        }
    }

    /// The holder of given coins, or their buyer, becomes eve, of a third stripe.
    @Test(arguments: [("ann", "cat"), ("cat", "bob")])
    func `a merge while a refund waits for the locks of others is seen by it`(
        _ buyer: String, _ holder: String
    ) async throws {
        try await TestLedger.with(writers: 1) { ledger, test in
            let second = try await test.open(writers: 1)
            try await Self.meet([holder, "eve"], in: ledger)
            let purchase = try await ledger.buy(.sample(by: buyer, bonus: 0))
            _ = try await ledger.submit(Gift.sample(from: buyer, to: holder, coins: 60))
            let refunded = buyer == "ann" ? "ann" : "eve"
            let blocker = try await test.connectAsOwner()
            try await blocker.execute(
                "BEGIN; SELECT FROM account WHERE owner IS NULL AND stripe = 0 ORDER BY id FOR UPDATE")
            // It has read who has the coins, and waits for the stripe of ann and bob, the first that it locks.
            async let refund = ledger.submit(BeginRefund.sample(of: purchase.id, by: refunded))
            try await test.waitUntilBlocked()
            _ = try #require(try await second.submit(MergeUsers.sample("merge", "cat", into: "eve")).success)
            try await blocker.execute("COMMIT")
            #expect(try await refund.begun?.coins == 100)
            #expect(try await ledger.balances.find(of: .named("bob")).available == (holder == "bob" ? 1 : 0))
            #expect(try await ledger.balances.find(of: .named("eve")).available == (holder == "bob" ? 1 : 2))
            await blocker.close()
            await second.close()
            try await Self.expectSound(test)
        }
    }

    @Test(arguments: VATRule.allCases)
    func `coins come back from and to users of other stripes who were merged when their lots were used up`(
        _ rule: VATRule
    ) async throws {
        try await TestLedger.with(vat: VATSettings(isBooked: true)) { ledger, test in
            try await Self.meet(["bob", "cat", "eve"], in: ledger)
            // Of each lot nothing is left, so no merge moves it: ann's, and bob's with used coins.
            let purchase = try await ledger.buy(.sample(bonus: 0, vat: rule))
            _ = try await ledger.submit(Gift.sample("1", to: "bob", coins: 60))
            _ = try await ledger.submit(Gift.sample("2", to: "cat", coins: 40))
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 61))
            _ = try await ledger.submit(MergeUsers.sample("m-1", "bob", into: "eve"))
            _ = try await ledger.submit(MergeUsers.sample("m-2", "ann", into: "gil", isRename: true))
            let moved = try #require(try await ledger.purchases.find(purchase.id))
            #expect(moved.user == .named("gil"))
            let quote = try await ledger.refunds.quote(for: nil, of: moved, policy: .free)
            #expect(quote.coins == 40)
            let taken = try #require(try await ledger.submit(ClawBack.sample(of: moved, 1000)).clawedBack)
            #expect(taken.coins == 100 && taken.balance.debt == 60)
            #expect(try await test.taxes.prefix(2) == [0, 0])
            #expect(try await test.total("revenue:coins") == 0)
            #expect(try await ledger.balances.find(of: .named("cat")).available == 1)
            try await Self.expectSound(test)
        }
    }

    @Test func `coins come back to a buyer who became one with who was given them`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(["cat"], in: ledger)
            _ = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Gift.sample(to: "cat", coins: 40))
            _ = try await ledger.submit(MergeUsers.sample("m", "ann", into: "cat"))
            let taken = try #require(
                try await ledger.submit(ClawBack.sample(of: CreditPurchase.sample(by: "cat", bonus: 0), 1000))
                    .clawedBack)
            #expect(taken.coins == 100 && taken.balance.debt == 0 && taken.balance.available == 1)
            try await Self.expectSound(test)
        }
    }

    @Test func `the limits of a day and the list count all ids of a user`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(["bob", "cat", "dan", "eve"], in: ledger)
            for (number, user) in ["ann", "dan"].enumerated() {
                _ = try await ledger.buy(.sample(number + 1, by: user, bonus: 0))
            }
            let rules = GiftRules(
                GiveableCoins(kinds: [.paid]), mostGiven: 50, mostReceived: 60, since: Date(timeIntervalSinceNow: -3600)
            )
            _ = try await ledger.submit(Gift.sample("1", coins: 40, rules: rules))
            _ = try await ledger.submit(Gift.sample("2", from: "dan", to: "ann", coins: 3, rules: rules))
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "dan"))
            _ = try await ledger.submit(MergeUsers.sample("m-2", "bob", into: "cat"))
            #expect(
                try await ledger.submit(Gift.sample("3", from: "dan", to: "eve", coins: 8, rules: rules)).refusal
                    == .giftLimitExceeded(required: 8, available: 7))
            let given = GiftRules(GiveableCoins(kinds: [.paid]), mostReceived: 60, since: rules.since)
            #expect(
                try await ledger.submit(Gift.sample("4", from: "dan", to: "cat", coins: 21, rules: given)).refusal
                    == .giftLimitExceeded(required: 21, available: 20))
            #expect(
                try await ledger.submit(Gift.sample("5", from: "dan", to: "cat", coins: 7, rules: rules)).refusal == nil
            )
            for (name, coins) in [("ann", [7, 3, 40]), ("dan", [7, 3, 40]), ("bob", [7, 40]), ("cat", [7, 40])]
                as [(String, [Int64])]
            {
                #expect(try await ledger.gifts.list(of: .named(name), limit: 9).map(\.coins) == coins, "\(name)")
            }
            #expect(try await ledger.gifts.list(of: .named("dan"), limit: 2).map(\.coins) == [7, 3])
            try await Self.expectSound(test)
        }
    }
}
