import Foundation
import LedgerTestSupport
import Logging
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct SpendTests {
    @Test func `a spend uses bonus coins first and recognises what the paid ones were bought for`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let answer = try await ledger.submit(Spend.sample(coins: 30))
            let spent = try #require(answer.spent)
            #expect(spent.coins == 30 && spent.lots.map(\.coins) == [10, 20] && spent.lots.map(\.amount) == [0, 200])
            #expect(spent.balance.paid == 80 && spent.balance.bonus == 0 && spent.balance.available == 80)
            let record = try #require(try await ledger.journal.find(spent.journalEntryID))
            let stripe = Stripe(of: .named("ann"), among: 4).number
            #expect(
                record.lines.map { "\($0.side) \($0.account) \($0.amount)" } == [
                    "debit wallet:ann:bonus 10", "debit wallet:ann:paid 20", "credit coins:redeemed/\(stripe) 30",
                    "debit coins:deferred-revenue/\(stripe) 200", "credit revenue:coins/\(stripe) 200",
                ])
            try await Audit.expectSound(test)
        }
    }

    @Test func `more than there is moves nothing, and is refused again under its key when there is enough`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample(coins: 5))
            let refused = try await ledger.submit(Spend.sample(coins: 6))
            #expect(refused.refusal == .insufficientCoins(required: 6, available: 5) && !refused.isRepeat)
            _ = try await ledger.submit(Grant.sample("key-2", coins: 5))
            let again = try await ledger.submit(Spend.sample(coins: 6))
            #expect(again.refusal == refused.refusal && again.isRepeat)
            #expect(try await ledger.submit(Spend.sample("spend-2", coins: 6)).spent?.balance.total == 4)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the same key spends once, is refused for another content, and is another caller's own`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let first = try await ledger.submit(Spend.sample(coins: 7))
            let again = try await ledger.submit(Spend.sample(coins: 7))
            #expect(again.isRepeat && again.spent == first.spent)
            #expect(try await ledger.submit(Spend.sample(coins: 8)).refusal == .idempotencyKeyReused)
            #expect(try await ledger.submit(PlaceHold.sample("spend-1", coins: 7)).refusal == .idempotencyKeyReused)
            for (reference, reason) in [("order-1", nil), (nil, "a sword"), ("order-1", "a sword")] {
                let changed = Spend(
                    idempotencyKey: .named("spend-1"), user: .named("ann"), coins: try #require(Coins(7)),
                    reference: reference, reason: reason)
                #expect(try await ledger.submit(changed).refusal == .idempotencyKeyReused, "\(changed)")
            }
            let use = try #require(try await ledger.firstUse(of: .named("spend-1")))
            #expect(use.act == Spend.name)
            #expect(
                use.at.microsecondsSince1970
                    == (try await test.number("SELECT microseconds(recorded_at) FROM idempotency WHERE key = 'spend-1'"))
            )
            let key = try #require(CallerKey("spend-1", of: .named("other-service")))
            #expect(try await ledger.firstUse(of: key) == nil, "of another caller")
            let other = Spend(idempotencyKey: key, user: .named("ann"), coins: try #require(Coins(7)))
            #expect(try await ledger.submit(other).spent?.balance.total == 96)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [3, 7, 33])
    func `the won of a lot add up to what was paid, however often it is split`(parts: Int64) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(coins: parts, bonus: 0))
            var won: [Int64] = []
            for part in 0..<parts {
                let spent = try #require(try await ledger.submit(Spend.sample("spend-\(part)", coins: 1)).spent)
                won += spent.lots.map(\.amount)
            }
            #expect(won.count == parts && won.reduce(0, +) == 1000)
            #expect(won.allSatisfy { [1000 / parts, 1000 / parts + 1].contains($0) }, "\(won)")
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins of many lots go in their order, with those that come in the same batch last`() async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let writer = LedgerWriter(
                configuration: try .unhurried(test.serviceURL),
                chart: try await SystemChart.load(from: connection), logger: Logger(label: "test"))
            await connection.close()
            for number in 0..<30 {
                let answers = await writer.post([Grant.sample("grant-\(number)", coins: 2)])
                try #require(try answers[0].get().granted != nil)
            }
            let answers = await writer.post([
                Grant.sample("more", coins: 100), Spend.sample(coins: 41), Spend.sample("spend-2", coins: 20),
            ])
            let spent = try answers.dropFirst().map { try #require(try $0.get().spent).lots }
            #expect(
                spent.map { $0.map(\.coins) } == [
                    Array(repeating: 2, count: 20) + [1], [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1],
                ])
            #expect(spent[1].map(\.lotID) == spent[1].map(\.lotID).sorted())
            let refused = try await writer.post([Spend.sample("too-much", coins: 100)])[0].get().refusal
            #expect(refused == .insufficientCoins(required: 100, available: 99))
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `of thirty-two who spend one wallet's ten coins at once, ten succeed`() async throws {
        try await TestLedger.with(writers: 4) { one, test in
            _ = try await one.submit(Grant.sample(coins: 10))
            let two = try await test.open(writers: 4)
            let answers = try await together(32) {
                try await ($0.isMultiple(of: 2) ? one : two).submit(Spend.sample("spend-\($0)", coins: 1))
            }
            await two.close()
            #expect(answers.compactMap(\.spent).count == 10)
            #expect(
                answers.compactMap(\.refusal)
                    == Array(repeating: .insufficientCoins(required: 1, available: 0), count: 22))
            #expect(try await one.balances.find(of: .named("ann")).total == 0)
            try await Audit.expectSound(test)
        }
    }
}
