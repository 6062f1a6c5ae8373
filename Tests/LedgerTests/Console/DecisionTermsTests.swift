import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What a person saw and may do alone holds within the act, whatever came first.
@Suite(.timeLimit(.minutes(20))) struct DecisionTermsTests {
    /// The books after ann bought 100 coins for ₩1,000, without bonus.
    private func bought() throws -> (books: PlannedBooks, purchase: Int64) {
        var books = PlannedBooks()
        let plan = books.plan([CreditPurchase.sample(bonus: 0)], now: Self.start)
        try books.apply(plan)
        return (books, try #require(books.purchases.first).id)
    }

    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// A refund by bank transfer: decided at once, so that several can be in one batch.
    private static func transfer(_ key: String, of purchase: Int64, coins: Int64, _ terms: RefundTerms) -> BeginRefund {
        .sample(key, of: purchase, coins: coins, method: .bankTransfer, terms: terms)
    }

    private static func refusals(_ plan: Plan) throws -> [Refusal?] { try plan.answers.map { try $0.get().refusal } }

    @Test func `parts of a refund in one batch stop at the limit of one person`() throws {
        var (books, purchase) = try bought()
        let alone = RefundTerms(amount: 150, mostInAll: 400)
        let plan = books.plan(
            (0..<10).map { Self.transfer("part-\($0)", of: purchase, coins: 15, alone) }, now: Self.start + 1)
        let refusals = try Self.refusals(plan)
        #expect(refusals.count { $0 == nil } == 2)
        #expect(refusals.dropFirst(2).allSatisfy { $0 == .exceedsOwnLimit(required: 150, available: 100) })
        try books.apply(plan)
        // The limit itself is allowed, one won more is not, and a repeat is answered as before.
        let next = books.plan(
            [
                Self.transfer("last", of: purchase, coins: 10, RefundTerms(mostInAll: 399)),
                Self.transfer("exact", of: purchase, coins: 10, RefundTerms(mostInAll: 400)),
                Self.transfer("part-0", of: purchase, coins: 15, alone),
            ], now: Self.start + 2)
        #expect(
            try Self.refusals(next) == [.exceedsOwnLimit(required: 100, available: 99), nil, nil])
        #expect(try next.answers[2].get().isRepeat)
        try books.apply(next)
        #expect(books.purchases.first?.refundedAmount == 400)
    }

    @Test func `a refund that was decided by another quote or another state of the purchase is refused`() throws {
        let (books, purchase) = try bought()
        let terms = [
            RefundTerms(amount: 99, refundedBefore: 0), RefundTerms(amount: 101), RefundTerms(refundedBefore: 1),
            RefundTerms(amount: 100, refundedBefore: 0, unusedBefore: 99), RefundTerms(unusedBefore: 101),
            RefundTerms(amount: .max, refundedBefore: .min, mostInAll: .max), RefundTerms(mostInAll: -1),
            RefundTerms(mostInAll: .min),
        ]
        for terms in terms {
            var books = books
            let plan = books.plan([Self.transfer("a", of: purchase, coins: 10, terms)], now: Self.start + 1)
            let refusal = try #require(try Self.refusals(plan).first ?? nil, "\(terms)")
            let isLimit = terms.mostInAll.map { $0 < 0 } ?? false
            #expect(
                refusal == (isLimit ? .exceedsOwnLimit(required: 100, available: 0) : .changedMeanwhile), "\(terms)")
            #expect(plan.journal.entries.isEmpty)
        }
        var twice = books
        let seen = RefundTerms(amount: 450, refundedBefore: 0, unusedBefore: 100)
        let plan = twice.plan(
            ["one", "two"].map { Self.transfer($0, of: purchase, coins: 45, seen) }, now: Self.start + 1)
        #expect(try Self.refusals(plan) == [nil, .changedMeanwhile], "the same proposal pays once")
    }

    @Test func `parts of a reversal in one batch stop at the limit of one person, and at what was seen`() throws {
        var (books, _) = try bought()
        let spending = books.plan([Spend.sample(coins: 60)], now: Self.start + 1)
        try books.apply(spending)
        let spent = try #require(books.redemptions.values.first)
        let alone = ReversalTerms(mostInAll: 25)
        let plan = books.plan(
            (0..<5).map { ReverseRedemption.sample("part-\($0)", of: spent, coins: 10, terms: alone) },
            now: Self.start + 2)
        let refusals = try Self.refusals(plan)
        #expect(refusals.prefix(2).allSatisfy { $0 == nil })
        #expect(refusals.dropFirst(2).allSatisfy { $0 == .exceedsOwnLimit(required: 10, available: 5) })
        try books.apply(plan)
        let next = books.plan(
            [
                ReverseRedemption.sample("outdated", of: spent, coins: 40, terms: ReversalTerms(left: 60)),
                ReverseRedemption.sample("seen", of: spent, coins: 10, terms: ReversalTerms(left: 40)),
                ReverseRedemption.sample("seen-too", of: spent, coins: 10, terms: ReversalTerms(left: 40)),
            ], now: Self.start + 3)
        #expect(try Self.refusals(next) == [.changedMeanwhile, nil, .changedMeanwhile])
    }

    @Test func `a limit holds for forty refunds at once of two processes`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            let purchase = try await first.buy(.sample(bonus: 0))
            let answers = try await together(40) { number in
                let ledger = number.isMultiple(of: 2) ? first : second
                return try await ledger.submit(
                    Self.transfer(
                        "part-\(number)", of: purchase.id, coins: 15, RefundTerms(amount: 150, mostInAll: 400)))
            }
            #expect(answers.count { $0.refusal == nil } == 2)
            #expect(
                answers.compactMap(\.refusal).allSatisfy { $0 == .exceedsOwnLimit(required: 150, available: 100) })
            #expect(try await first.purchases.find(purchase.id)?.refundedAmount == 300)
            await second.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `of reversals at once of two processes no more comes back than one person may return`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            _ = try await first.buy(.sample())
            let spent = try #require(try await first.submit(Spend.sample(coins: 90)).redeemed)
            // A part that came back before counts, too.
            _ = try await first.submit(ReverseRedemption.sample("before", of: spent, coins: 5))
            let answers = try await together(24) { number in
                let ledger = number.isMultiple(of: 2) ? first : second
                return try await ledger.submit(
                    ReverseRedemption.sample(
                        "part-\(number)", of: spent, coins: 10, terms: ReversalTerms(mostInAll: 30)))
            }
            #expect(answers.count { $0.refusal == nil } == 2)
            let read = try #require(try await first.redemptions.find(spent.id))
            #expect(read.returned == 25 && read.coins == 65)
            let late = ReverseRedemption.sample("late", of: spent, coins: 10, terms: ReversalTerms(left: 85))
            #expect(try await second.submit(late).refusal == .changedMeanwhile)
            await second.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `voids of a grant stay within the limit of one person, also when what was seen is so again`()
        async throws
    {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            let granted = try #require(try await first.submit(Grant.sample(coins: 100)).granted)
            let lot = try await first.lots.ofGrant(granted.journalEntryID)
            let held = try #require(try await first.submit(PlaceHold.sample(coins: 80)).placed)
            // Two people see 20 coins that can be voided, and none that was.
            let seen = VoidTerms(available: 20, mostInAll: 30)
            #expect(try await first.submit(VoidGrant.sample("one", of: lot, terms: seen)).success?.coins == 20)
            _ = try await first.submit(VoidHold.sample(of: held.hold.id))
            _ = try await first.submit(Spend.sample(coins: 60))
            #expect(try await first.balances.find(of: .named("ann")).total == 20, "as both saw it")
            #expect(
                try await second.submit(VoidGrant.sample("other", of: lot, terms: seen)).refusal
                    == .exceedsOwnLimit(required: 20, available: 10))
            let answers = try await together(12) { number in
                let ledger = number.isMultiple(of: 2) ? first : second
                return try await ledger.submit(
                    VoidGrant.sample("part-\(number)", of: lot, coins: 4, terms: VoidTerms(mostInAll: 30)))
            }
            #expect(answers.count { $0.refusal == nil } == 2)
            #expect(answers.compactMap(\.refusal).allSatisfy { $0 == .exceedsOwnLimit(required: 4, available: 2) })
            let exact = VoidGrant.sample("exact", of: lot, coins: 2, terms: VoidTerms(mostInAll: 30))
            #expect(try await first.submit(exact).success?.left == 10)
            #expect(try await first.submit(VoidGrant.sample("two people", of: lot)).success?.coins == 10)
            await second.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a write-off that was decided by another debt is refused`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            try #require(try await ledger.balances.find(of: purchase.user).debt == 100)
            let answers = try await together(6) { number in
                try await ledger.submit(WriteOffDebt.sample("off-\(number)", coins: 30, owedBefore: 100))
            }
            #expect(answers.count { $0.refusal == nil } == 1)
            #expect(answers.compactMap(\.refusal).allSatisfy { $0 == .changedMeanwhile })
            #expect(try await ledger.balances.find(of: purchase.user).debt == 70)
            try await Audit.expectSound(test)
        }
    }
}
