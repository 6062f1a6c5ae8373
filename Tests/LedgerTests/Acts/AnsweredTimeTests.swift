import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// A client keeps the times of an answer, and asks with them later.
@Suite(.timeLimit(.minutes(20))) struct AnsweredTimeTests {
    @Test func `an answer has the times of the books`() async throws {
        try await TestLedger.with { ledger, _ in
            for number in 1...10 {
                let purchase = sure(try await ledger.credit(.sample(number)).credited).purchase
                #expect(try await ledger.purchases.find(purchase.id) == purchase)
                let balance = try await ledger.balances.find(of: .named("ann"), at: purchase.creditedAt)
                #expect(balance.paid == Int64(100 * number))
            }
            let placed = sure(try await ledger.submit(PlaceHold.sample(coins: 30)).placed).hold
            #expect(try await ledger.holds.find(placed.id) == placed)
            let captured = sure(try await ledger.submit(CaptureHold.sample(of: placed.id, coins: 30)).captured).hold
            #expect(try await ledger.holds.find(placed.id) == captured)
        }
    }

    @Test func `a lot expires when the books say, whether planned or read`() throws {
        var books = PlannedBooks()
        let start = Date(timeIntervalSince1970: 1_767_225_600.25)
        let plan = books.plan([CreditPurchase.sample(expiresAt: start + 86_400.000_000_2)], now: start)
        let lot = try #require(plan.lots.new.first)
        #expect(lot.expiresAt == start + 86_400 && lot.acquiredAt == start)
    }
}
