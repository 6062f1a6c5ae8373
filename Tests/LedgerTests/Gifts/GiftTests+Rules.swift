import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Which coins may be given, to whom, how many, and for which fee.
extension GiftTests {
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

    @Test func `nobody gives to who was forgotten`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.meet(in: ledger)
            _ = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 1))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            let successor = try await ForgettingTests.forget(ledger, test, "bob")
            #expect(try await ledger.submit(Gift.sample(coins: 10)).refusal == .unknownReceiver)
            let toSuccessor = Gift.sample("successor", to: successor.rawValue, coins: 10)
            #expect(try await ledger.submit(toSuccessor).refusal == .userForgotten)
            #expect(try await ledger.balances.find(of: .named("ann")).available == 100)
            try await Self.expectSound(test)
        }
    }

    @Test func `who was renamed with nothing left is known`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Grant.sample(to: "bob", coins: 1))
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 1))
            _ = try await ledger.submit(MergeUsers.sample("rename", "bob", into: "zoe", isRename: true))
            #expect(try await ledger.submit(Gift.sample(to: "zoe", coins: 10)).success?.coins == 10)
            #expect(try await ledger.balances.find(of: .named("zoe")).available == 10)
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
}
