import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Coins that users give to each other.
///
/// Of the four stripes, ann, bob and dan share one; cat is of another.
@Suite(.timeLimit(.minutes(20))) struct GiftTests {
    /// Users who can be given coins: each has one bonus coin.
    static func meet(_ users: [String] = ["bob", "cat", "dan"], in ledger: Ledger) async throws {
        for user in users { _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1)) }
    }

    static func lots(_ ledger: Ledger, of user: String, _ kind: LotKind = .paid) async throws -> [Lot] {
        try await ledger.lots.list(of: .named(user), kind, limit: 100).elements
    }

    /// Nothing is on its way between users.
    static func expectSound(_ test: TestLedger) async throws {
        #expect(try await test.total("clearing:coins") == 0)
        #expect(try await test.total("clearing:won") == 0)
        try await Audit.expectSound(test)
    }

    @Test(arguments: ["bob", "cat"])
    func `a gift is a lot of the receiver's, with price, expiry and purchase`(_ receiver: String) async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let end = Date(timeIntervalSinceNow: 86_400).inMicroseconds
            let purchase = try await ledger.buy(.sample(bonus: 0, expiresAt: end))
            let given = try #require(try await ledger.submit(Gift.sample(to: receiver, coins: 33)).success)
            #expect(given.coins == 33 && given.paid == 33 && given.fee == 0 && given.balance.available == 67)
            let (left, got) = (try await Self.lots(ledger, of: "ann"), try await Self.lots(ledger, of: receiver))
            #expect(left.map(\.remaining) == [67] && left.map(\.deferred) == [670])
            #expect(got.map(\.coins) == [33] && got.map(\.amount) == [330] && got.map(\.deferred) == [330])
            #expect(got.map(\.expiresAt) == [end] && got.map(\.purchaseID) == [nil])
            #expect(got.map(\.originID) == left.map(\.id) && got.map(\.originPurchaseID) == [purchase.id])
            #expect(try await ledger.balances.find(of: .named(receiver)).available == 34)
            _ = try await ledger.submit(Spend.sample(by: receiver, coins: 34))
            #expect(try await test.total("revenue:coins") == 330)
            try await Self.expectSound(test)
        }
    }

    @Test func `what a gift moves of a lot adds up to it, won by won`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            _ = try await ledger.buy(.sample(coins: 3, bonus: 0))
            for number in 1...3 {
                _ = try await ledger.submit(Gift.sample("gift-\(number)", to: "cat", coins: 1))
            }
            #expect(try await Self.lots(ledger, of: "cat").map(\.amount).sorted() == [333, 333, 334])
            #expect(try await Self.lots(ledger, of: "ann").isEmpty)
            try await Self.expectSound(test)
        }
    }

    @Test(arguments: VATRule.allCases)
    func `the VAT of the parts is that of the whole, whoever uses them`(_ rule: VATRule) async throws {
        try await TestLedger.with(vat: VATSettings(isBooked: true)) { ledger, test in
            try await Self.meet(in: ledger)
            // ₩11,003: each part alone would lose a part of a won.
            let purchase = try await ledger.buy(.sample(coins: 97, bonus: 0, won: 11_003, vat: rule))
            let sold = try await test.taxes
            var number = 0
            for (giver, receiver, coins) in [
                ("ann", "bob", 31), ("bob", "cat", 17), ("ann", "dan", 7), ("dan", "bob", 3),
            ] {
                number += 1
                _ = try await ledger.submit(
                    Gift.sample("gift-\(number)", from: giver, to: receiver, coins: Int64(coins), rules: .paidOnly))
                #expect(try await test.taxes == sold, "a gift is no supply")
                try await Self.expectSound(test)
            }
            for user in ["bob", "ann", "dan", "cat"] {
                let wallet = try await ledger.balances.find(of: .named(user)).available
                for part in 0..<2 {
                    let coins = part == 0 ? wallet / 2 : wallet - wallet / 2
                    _ = try await ledger.submit(Spend.sample("spend-\(user)-\(part)", by: user, coins: coins))
                }
            }
            let vat: Int64 = rule == .exempt ? 0 : 11_003 / 11
            #expect(try await test.taxes.prefix(2) == [vat, 0])
            #expect(try await test.total("revenue:coins") == 11_003 - vat)
            // The money goes back, and its VAT falls away, although others have used the coins.
            #expect(try await ledger.submit(ClawBack.sample(of: purchase, 11_003)).clawedBack?.balance.debt == 97)
            #expect(try await test.taxes.prefix(2) == [0, 0])
            #expect(try await test.total("revenue:coins") == 0)
            // What moves won and no coins has events of users, too.
            try await ledger.events.publisher.publish()
            try await Self.expectSound(test)
        }
    }

    @Test func `given coins pay the receiver's debt, and a debtor gives none`() async throws {
        try await TestLedger.with { ledger, test in
            let gone = try await ledger.buy(.sample(1, by: "bob", bonus: 0))
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 40))
            _ = try await ledger.submit(ClawBack.sample(of: gone, 1000))
            _ = try await ledger.buy(.sample(2, bonus: 0))
            #expect(
                try await ledger.submit(Gift.sample("back", from: "bob", to: "ann", coins: 1)).refusal
                    == .exceedsGiveable(required: 1, available: 0))
            _ = try await ledger.submit(Gift.sample(coins: 60))
            let balance = try await ledger.balances.find(of: .named("bob"))
            #expect(balance.available == 20 && balance.debt == 0)
            try await Self.expectSound(test)
        }
    }

    @Test func `a key gives once`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            _ = try await ledger.buy(.sample(bonus: 0))
            let answers = try await together(20) { number in
                try await ledger.submit(Gift.sample("key-\(number / 2)", coins: 9))
            }
            #expect(answers.allSatisfy { $0.success?.coins == 9 })
            #expect(answers.count { !$0.isRepeat } == 10)
            for other in [
                Gift.sample("key-1", coins: 8), .sample("key-1", to: "cat", coins: 9),
                .sample("key-1", coins: 9, reason: "a present"),
            ] {
                #expect(try await ledger.submit(other).refusal == .idempotencyKeyReused)
            }
            #expect(try await ledger.balances.find(of: .named("bob")).available == 91)
            try await Self.expectSound(test)
        }
    }

    @Test func `a void of a grant takes what its user has, and expired coins stay where they are`() async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        try await TestLedger.with(at: start) { ledger, test, clock in
            try await Self.meet(in: ledger)
            let granted = try #require(
                try await ledger.submit(Grant.sample(coins: 50, expiresAt: start + 3600)).granted)
            _ = try await ledger.submit(Gift.sample(coins: 20))
            let lot = try await ledger.lots.ofGrant(granted.journalEntryID)
            #expect(try await ledger.submit(VoidGrant.sample(of: lot)).success?.coins == 30)
            let purchase = try await ledger.buy(.sample(bonus: 0, expiresAt: start + 3600))
            _ = try await ledger.submit(Gift.sample("paid", coins: 40, rules: .paidOnly))
            try await clock.set(to: start + 3600)
            #expect(
                try await ledger.submit(Gift.sample("late", coins: 1, rules: .paidOnly)).refusal
                    == .exceedsGiveable(required: 1, available: 0))
            try await ledger.expireLots()
            #expect(try await test.total("coins:expired") == 120)
            let taken = try #require(try await ledger.submit(ClawBack.sample(of: purchase, 1000)).clawedBack)
            #expect(taken.coins == 100 && taken.balance.debt == 40, "what expired with the holder is no longer left")
            try await Self.expectSound(test)
        }
    }

    @Test func `gifts in a circle over stripes neither wait for each other nor lose a coin`() async throws {
        let users = ["ann", "bob", "cat", "dan", "eve", "gil", "hal"]
        try await TestLedger.with { ledger, test in
            for (number, user) in users.enumerated() { _ = try await ledger.buy(.sample(number + 1, by: user)) }
            _ = try await together(140) { number in
                let (giver, receiver) = (users[number % 7], users[(number * 3 + 1) % 7])
                if giver != receiver {
                    _ = try await ledger.submit(
                        Gift.sample("gift-\(number)", from: giver, to: receiver, coins: Int64(number % 5 + 1)))
                }
            }
            let sum = try await ledger.balances.list(of: users.map(UserID.named)).reduce(0) { $0 + $1.total }
            #expect(sum == 770)
            #expect(try await test.total("coins:deferred-revenue") == 7000)
            try await Self.expectSound(test)
        }
    }
}

extension GiftRules {
    /// Paid coins may be given.
    static let paidOnly = GiftRules(GiveableCoins(kinds: [.paid]))
}
