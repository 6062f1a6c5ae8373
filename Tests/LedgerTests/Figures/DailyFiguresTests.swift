import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Figures of days are sums of the accounts, moment by moment.
@Suite(.timeLimit(.minutes(20))) struct DailyFiguresTests {
    @Test func `coins captured for providers are spent, until they come back, whoever earned them when`() async throws {
        try await TestLedger.with { ledger, test in
            var moments = [try await emptyMillisecond()]
            func next() async throws { moments.append(try await emptyMillisecond()) }
            _ = try await ledger.credit(.sample(1, bonus: 0))
            _ = try await ledger.submit(Spend.sample(by: "ann", coins: 5))
            try await next()
            let first = try await ledger.capture("a", 10, for: "zoe")
            _ = try await ledger.capture("b", 3, for: "yan")
            try await next()
            // One provider earns no more; the other one's account goes on.
            _ = try await ledger.capture("c", 7, for: "zoe")
            _ = try await ledger.capture("d", 2, for: nil)
            try await next()
            _ = try await ledger.submit(ReverseRedemption.sample(of: first))
            try await next()
            for now in [Date(), Date() + 7200] {
                let days = try await ledger.figures.between(moments, now: now)
                #expect(days.map(\.coinsSpent) == [5, 13, 9, -10])
                // The second time from what is kept.
                #expect(try await ledger.figures.between(moments, now: now).map(\.coinsSpent) == [5, 13, 9, -10])
            }
            let whole = try await ledger.figures.between([moments[0], try #require(moments.last)], now: Date())
            #expect(whole.map(\.coinsSpent) == [17])
            try await Audit.expectSound(test)
        }
    }
}
