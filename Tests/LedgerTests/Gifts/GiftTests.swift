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

    @Test func `only coins of the kinds and gateways that may be given are`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            _ = try await ledger.buy(.sample(1, coins: 100, bonus: 10))
            _ = try await ledger.buy(.sample(2, payment: .sampleInV2(2), coins: 50, bonus: 0))
            _ = try await ledger.submit(PlaceHold.sample(coins: 10))  // the bonus coins
            func refusal(
                _ coins: Int64, _ kinds: Set<LotKind>, except gateways: Set<String> = []
            ) async throws -> Refusal? {
                let rules = GiftRules(GiveableCoins(kinds: kinds, exceptGateways: gateways))
                return try await ledger.submit(Gift.sample(coins: coins, rules: rules)).refusal
            }
            #expect(try await refusal(151, [.paid]) == .exceedsGiveable(required: 151, available: 150))
            #expect(try await refusal(1, [.bonus]) == .exceedsGiveable(required: 1, available: 0))
            #expect(try await refusal(1, []) == .exceedsGiveable(required: 1, available: 0))
            #expect(
                try await refusal(101, [.paid], except: ["portone-v2"])
                    == .exceedsGiveable(required: 101, available: 100))
            #expect(try await refusal(100, [.paid], except: ["portone-v2"]) == nil)
            #expect(try await Self.lots(ledger, of: "bob").map(\.amount) == [1000])
            // Also when they are given on.
            let rules = GiftRules(GiveableCoins(kinds: [.paid], exceptGateways: ["portone-v1"]))
            #expect(
                try await ledger.submit(Gift.sample("on", from: "bob", to: "cat", coins: 1, rules: rules)).refusal
                    == .exceedsGiveable(required: 1, available: 0))
            try await Self.expectSound(test)
        }
    }

    @Test func `coins of a campaign are given only if it says so, also when they are given on`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            for (name, canBeMoved) in [("kept", false), ("free", true)] {
                let id = try await ledger.make(.sample(name, canBeMoved: canBeMoved))
                _ = try await ledger.campaigns.add([CampaignUser(.named("ann"))], to: id).get()
                try await ledger.runCampaign(id)
            }
            #expect(
                try await ledger.submit(Gift.sample(coins: 11)).refusal
                    == .exceedsGiveable(required: 11, available: 10))
            #expect(try await ledger.submit(Gift.sample("free", coins: 10)).success?.coins == 10)
            #expect(try await Self.lots(ledger, of: "bob", .bonus).contains { $0.coins == 10 && $0.issuer == "free" })
            try await test.execute("ALTER TABLE campaign DISABLE TRIGGER ALL; UPDATE campaign SET can_be_moved = false")
            #expect(
                try await ledger.submit(Gift.sample("on", from: "bob", to: "cat", coins: 2)).refusal
                    == .exceedsGiveable(required: 2, available: 1))
        }
    }

    @Test func `coins of a purchase stay if an act before in the batch gave money of it back`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample(1, bonus: 0))
            _ = try await ledger.buy(.sample(2, bonus: 0))
            _ = try await ledger.submit(Gift.sample(to: "cat", coins: 20))
            let writer = try await test.writer()
            let answers = await writer.post([
                ClawBack.sample(of: purchase, 300), Gift.sample("all", to: "bob", coins: 101),
                Gift.sample("other", to: "bob", coins: 100), Gift.sample("on", from: "cat", to: "dan", coins: 2),
            ])
            #expect(
                answers.map { $0.answer?.refusal } == [
                    nil, .exceedsGiveable(required: 101, available: 100), nil,
                    .exceedsGiveable(required: 2, available: 1),
                ])
            #expect(try await Self.lots(ledger, of: "ann").map(\.purchaseID) == [purchase.id])
            await writer.close()
            try await Self.expectSound(test)
        }
    }

    @Test func `a purchase has no more given lots than a refund takes back, also within a batch`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            let purchase = try await ledger.buy(.sample(coins: 1000, bonus: 0, won: 10_000))
            let writer = try await test.writer()
            let answers = await writer.post((1...120).map { Gift.sample("gift-\($0)", coins: 1) })
            #expect(answers.prefix(100).allSatisfy { $0.answer?.refusal == nil })
            #expect(
                answers.dropFirst(100).allSatisfy {
                    $0.answer?.refusal == .exceedsGiveable(required: 1, available: 0)
                })
            // Those that are used up need no look any more.
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 31))
            #expect(try await ledger.submit(Gift.sample("more", coins: 1)).success?.coins == 1)
            #expect(
                try await ledger.submit(Gift.sample("on", from: "bob", to: "cat", coins: 71)).refusal
                    == .exceedsGiveable(required: 71, available: 29))
            #expect(try await ledger.submit(Gift.sample("29", from: "bob", to: "cat", coins: 29)).success?.coins == 29)
            #expect(try await ledger.submit(BeginRefund.sample(of: purchase.id)).begun?.coins == 970)
            await writer.close()
            try await Self.expectSound(test)
        }
    }

    @Test func `nobody gives to themselves or to an unknown user`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(bonus: 0))
            let gift = Gift.sample(coins: 10)
            #expect(try await ledger.submit(gift).refusal == .unknownReceiver)
            #expect(try await ledger.submit(Gift.sample("self", to: "ann", coins: 10)).refusal == .giftToOneself)
            try await Self.meet(in: ledger)
            #expect(try await ledger.submit(gift).success?.coins == 10, "the refusal was not recorded")
            #expect(try await ledger.submit(Gift.sample("self", to: "bob", coins: 10)).refusal == .idempotencyKeyReused)
            try await Self.expectSound(test)
        }
    }

    @Test func `what a user gives and gets in a day is limited`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            _ = try await ledger.buy(.sample(1, bonus: 0))
            _ = try await ledger.buy(.sample(2, by: "cat", bonus: 0))
            let rules = GiftRules(
                GiveableCoins(kinds: [.paid]), mostGiven: 50, mostReceived: 60, since: Date(timeIntervalSinceNow: -3600)
            )
            func give(
                _ key: String, _ giver: String, _ receiver: String, _ coins: Int64, _ rules: GiftRules
            ) async throws -> Refusal? {
                try await ledger.submit(Gift.sample(key, from: giver, to: receiver, coins: coins, rules: rules)).refusal
            }
            #expect(try await give("1", "ann", "bob", 40, rules) == nil)
            #expect(try await give("2", "ann", "dan", 11, rules) == .giftLimitExceeded(required: 11, available: 10))
            #expect(try await give("3", "cat", "bob", 21, rules) == .giftLimitExceeded(required: 21, available: 20))
            #expect(try await give("4", "cat", "bob", 20, rules) == nil)
            #expect(try await give("5", "ann", "dan", 10, rules) == nil)
            let tomorrow = GiftRules(
                GiveableCoins(kinds: [.paid]), mostGiven: 50, since: Date(timeIntervalSinceNow: 3600))
            #expect(try await give("6", "ann", "dan", 50, tomorrow) == nil)
            // Many at once share the limit, also in one batch.
            let wide = GiftRules(GiveableCoins(kinds: [.paid]), mostGiven: 29, since: Date(timeIntervalSinceNow: -3600))
            let refused = try await together(20) { number in
                try await ledger.submit(Gift.sample("many-\(number)", from: "cat", to: "dan", coins: 3, rules: wide))
                    .refusal
            }
            #expect(refused.count { $0 == nil } == 3, "20 of 29 were given before")
            try await Self.expectSound(test)
        }
    }

    @Test func `the fee is a spend of the giver, and without it nothing is given`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            _ = try await ledger.buy(.sample(bonus: 0))
            let rules = GiftRules(GiveableCoins(kinds: [.paid]), feePercent: 10)
            #expect(
                try await ledger.submit(Gift.sample("much", coins: 95, rules: rules)).refusal
                    == .insufficientCoins(required: 10, available: 5))
            #expect(try await ledger.balances.find(of: .named("ann")).available == 100)
            let given = try #require(try await ledger.submit(Gift.sample(coins: 31, rules: rules)).success)
            #expect(given.fee == 4 && given.balance.available == 65)
            #expect(try await test.total("coins:redeemed") == 4)
            #expect(try await test.total("revenue:coins") == 40)
            #expect(try await ledger.balances.find(of: .named("bob")).available == 32)
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

extension GiftRules {
    /// Paid coins may be given.
    static let paidOnly = GiftRules(GiveableCoins(kinds: [.paid]))
}
