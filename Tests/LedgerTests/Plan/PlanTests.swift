import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct PlanTests {
    @Test func `each batch is recorded later than the one before, though the clock goes back`() throws {
        var books = PlannedBooks()
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        var times: [Date] = []
        for (number, offset) in [0.0, 0, -3600, -1, 0.5, 0.5].enumerated() {
            let commands: [any Act] = [
                CreditPurchase.sample(number, bonus: 0), Grant.sample("key-\(number)"),
            ]
            let plan = books.plan(commands, now: start + offset)
            #expect(plan.journal.entries.allSatisfy { $0.recordedAt == plan.recordedAt })
            times.append(plan.recordedAt)
            try books.apply(plan)
        }
        #expect(times.map(\.microsecondsSince1970) == times.map(\.microsecondsSince1970).sorted())
        #expect(Set(times.map(\.microsecondsSince1970)).count == times.count)
        #expect(times[4] == start + 0.5)
    }

    /// "é" as one scalar, and as "e" with an accent: Swift's strings are equal, the database's are not.
    @Test func `users who only look alike have wallets of their own`() async throws {
        let composed = "caf\u{e9}"
        let decomposed = "cafe\u{301}"
        try #require(UserID.named(composed) != UserID.named(decomposed))
        try #require(
            Stripe(of: .named(composed), among: 4) != Stripe(of: .named(decomposed), among: 4),
            "the test wants two stripes")
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            for round in 0..<2 {
                let results = await writer.post([
                    CreditPurchase.sample(round * 2, by: composed, coins: 100, bonus: 0),
                    CreditPurchase.sample(round * 2 + 1, by: decomposed, coins: 7, bonus: 0),
                ])
                #expect(results.map { $0.answer?.name } == ["credited", "credited"])
            }
            let thief = await writer.post([CreditPurchase.sample(0, by: decomposed, bonus: 0)])
            #expect(thief.first?.answer?.refusal == .paymentBelongsToAnotherUser)
            await writer.close()
            let ledger = try await test.open()
            let balances = try await ledger.balances.list(of: [.named(composed), .named(decomposed)])
            #expect(balances.map(\.paid) == [200, 14])
            await ledger.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `orders that only look alike are two orders`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            let results = await writer.post([
                CreditPurchase.sample(1, merchantUID: "caf\u{e9}"),
                CreditPurchase.sample(2, merchantUID: "cafe\u{301}"),
            ])
            #expect(results.map { $0.answer?.name } == ["credited", "credited"])
            await writer.close()
            try await Audit.expectSound(test)
        }
    }
}
