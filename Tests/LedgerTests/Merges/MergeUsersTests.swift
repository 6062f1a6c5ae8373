import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Users who become one, and users who get another id.
@Suite(.timeLimit(.minutes(20))) struct MergeUsersTests {
    /// A user of ann's stripe, and one of another.
    static let others = ["bob", "cid"]

    @Test(arguments: others)
    func `all that a user has is the other's, and goes on as if it had always been`(_ other: String) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Grant.sample(to: other, coins: 5))
            let spent = try await ledger.submit(Spend.sample(coins: 20)).redeemed
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 30)).placed).hold
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 15))
            let deferred = try await test.number("SELECT sum(deferred)::int8 FROM lot")
            let had = try await ledger.balances.find(of: .named("ann"))

            let merged = try #require(try await ledger.submit(MergeUsers.sample(into: other)).success)
            #expect(merged.coins == had.total && merged.debt == 0 && merged.journalEntryID != nil)
            #expect(merged.balance.user == .named(other) && merged.balance.total == had.total + 5)
            #expect(merged.balance.held == had.held && had.held > 30)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 0)
            #expect(try await test.number("SELECT sum(deferred)::int8 FROM lot") == deferred)
            #expect(try await test.balance(of: .clearingCoins) == 0)
            try await Audit.expectSound(test)

            // Whoever names the former user means the other one.
            let captured = try await ledger.submit(CaptureHold.sample(of: held.id, coins: 10)).captured
            #expect(captured?.balance.user == .named(other))
            _ = try await ledger.submit(VoidHold.sample(of: held.id, by: other))
            let back = try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed
            #expect(back?.balance.user == .named(other) && back?.balance.total == had.total + 15)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let rest = try await ledger.begin(.sample("refund-2", of: purchase.id, by: other))
            _ = try await ledger.submit(CompleteRefund.sample(rest))
            #expect(try await ledger.purchases.find(purchase.id, of: .named(other))?.status == .partiallyRefunded)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: others)
    func `what is paid or asked for under the old id is the other's, and a key is used once under both`(
        _ other: String
    ) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            _ = try await ledger.submit(Grant.sample(to: other, coins: 5))
            let spend = Spend.sample(coins: 20)
            let first = try await ledger.submit(spend)
            _ = try await ledger.submit(MergeUsers.sample(into: other))
            for name in ["ann", other] {
                let again = try await ledger.submit(Spend.sample(by: name, coins: 20))
                #expect(again.isRepeat && again.success == first.success)
                #expect(try await ledger.submit(Spend.sample(by: name, coins: 21)).refusal == .idempotencyKeyReused)
                #expect(try await ledger.submit(CreditPurchase.sample(1, by: name)).isRepeat)
            }
            #expect(try await ledger.submit(Spend.sample(by: "eve", coins: 20)).refusal == .idempotencyKeyReused)
            // New ones, under the old id first.
            let late = try await ledger.submit(CreditPurchase.sample(2)).credited
            #expect(late?.purchase.user == .named(other))
            for name in ["ann", other] {
                let later = try await ledger.submit(Spend.sample("later", by: name, coins: 7))
                #expect(later.isRepeat == (name == other) && later.spent?.balance.user == .named(other))
            }
            let repeated = try await ledger.submit(MergeUsers.sample(into: other))
            #expect(repeated.isRepeat && repeated.success?.coins == 90)
            #expect(try await ledger.merges.user(behind: .named("ann")) == .named(other))
            #expect(try await ledger.merges.formerIDs(of: .named(other)) == [.named("ann")])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a lot that was used up between two merges fits its entry`() async throws {
        try await TestLedger.with { ledger, test in
            // Each of another stripe.
            #expect(Set(["ann", "cid", "eve"].map { Stripe(of: .named($0), among: 4) }).count == 3)
            _ = try await ledger.credit(.sample(bonus: 0))
            _ = try await ledger.submit(MergeUsers.sample(into: "cid", isRename: true))
            _ = try await ledger.submit(Spend.sample(by: "cid", coins: 100))
            _ = try await ledger.submit(MergeUsers.sample("merge-2", "cid", into: "eve", isRename: true))
            #expect(try await test.number("SELECT count(*) FROM lot WHERE user_id = 'cid' AND NOT is_open") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a debt goes along, and the other's coins pay it`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            _ = try await ledger.submit(Spend.sample(coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            _ = try await ledger.submit(Grant.sample(to: "cid", coins: 130))
            let merged = try #require(try await ledger.submit(MergeUsers.sample()).success)
            #expect(merged.coins == 0 && merged.debt == 100 && merged.balance.debt == 100)
            #expect(merged.balance.available == 0)
            #expect(try await ledger.submit(PayDebt(user: .named("ann"))).success?.balance.total == 30)
            #expect(try await ledger.balances.find(of: .named("cid")).debt == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `as many coins as are owed move without the clearing accounts`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 40)).placed).hold
            _ = try await ledger.submit(Spend.sample(coins: 60))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 400))
            _ = try await ledger.submit(Grant.sample(to: "cid"))
            let merged = try #require(try await ledger.submit(MergeUsers.sample()).success)
            #expect(merged.coins == merged.debt && merged.coins == 40, "\(merged)")
            #expect(
                try await test.number("SELECT count(*) FROM account WHERE code LIKE 'clearing:%' AND seq > 0") == 0)
            _ = try await ledger.submit(VoidHold.sample(of: held.id, by: "cid"))
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that come back into a lot that was used up, and of a provider, are the other's`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(bonus: 0))
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 40)).placed).hold
            let captured = try await ledger.submit(CaptureHold.sample(of: held.id, provider: "pia")).redeemed
            let spent = try await ledger.submit(Spend.sample(coins: 60)).redeemed
            _ = try await ledger.submit(Grant.sample(to: "cid"))
            let merged = try #require(try await ledger.submit(MergeUsers.sample()).success)
            #expect(merged.coins == 0 && merged.journalEntryID == nil)
            #expect(try await test.number("SELECT count(*) FROM lot WHERE user_id = 'ann'") == 1)
            for (key, used) in [("a", captured), ("b", spent)] {
                let found = try await ledger.redemptions.find(sure(used).id)
                #expect(found?.user == .named("cid"))
                _ = try await ledger.submit(ReverseRedemption.sample(key, of: found, coins: 25))
            }
            #expect(try await ledger.balances.find(of: .named("cid")).total == 55)
            #expect(try await ledger.balances.earnings(of: .named("pia")) == 15)
            #expect(try await test.number("SELECT count(*) FROM lot WHERE user_id = 'ann'") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `clients who use both ids during merges lose no coin, and each act is done once`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1, coins: 1000, bonus: 0))
            _ = try await ledger.submit(Grant.sample("first", to: "cid", coins: 1000))
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            let answers = try await together(160) { number -> Int64 in
                let name = number.isMultiple(of: 2) ? "ann" : "cid"
                switch number % 16 {
                case 0 where number == 80: _ = try await ledger.submit(MergeUsers.sample())
                case 1: _ = try await ledger.submit(CaptureHold.sample("c-\(number)", of: held.id, by: name, coins: 5))
                case 2...8:
                    // Each key twice, once under each id.
                    let key = "spend-\(number / 2)"
                    let spent = try await ledger.submit(Spend.sample(key, by: name, coins: 3))
                    return spent.isRepeat ? 0 : -(spent.spent?.coins ?? 0)
                case 9...12: return try await ledger.submit(CreditPurchase.sample(number, by: name)).isRepeat ? 0 : 110
                default:
                    let granted = try await ledger.submit(Grant.sample("grant-\(number)", to: name, coins: 2))
                    return granted.granted?.coins ?? 0
                }
                return 0
            }
            let all = 2000 + answers.reduce(0, +)
            let captured = try await test.number("SELECT captured FROM hold WHERE id = \(held.id)")
            #expect(try await ledger.balances.find(of: .named("cid")).total == all - captured)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 0)
            #expect(try await ledger.merges.user(behind: .named("ann")) == .named("cid"))
            try await Audit.expectSound(test)
        }
    }

    @Test func `two merges of one user at once are one, and two into each other are one`() async throws {
        try await TestLedger.with { ledger, test in
            for (number, name) in ["ann", "bob", "cid"].enumerated() {
                _ = try await ledger.submit(Grant.sample("grant-\(number)", to: name))
            }
            let answers = try await together(12) { number in
                let (former, user) = [("ann", "bob"), ("ann", "cid"), ("bob", "ann")][number % 3]
                return try await ledger.submit(MergeUsers.sample("merge-\(number)", former, into: user))
            }
            #expect((1...2).contains(answers.count { $0.success != nil }))
            #expect(try await test.number("SELECT count(*) FROM user_alias WHERE former = user_id") == 0)
            let users = try await ledger.merges.users(behind: ["ann", "bob", "cid"].map(UserID.named))
            let coins = try await ledger.balances.list(of: Array(Set(users)))
            #expect(coins.reduce(0) { $0 + $1.total } == 15)
            try await Audit.expectSound(test)
        }
    }
}
