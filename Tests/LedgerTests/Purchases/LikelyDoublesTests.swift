import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// Equal purchases shortly after each other.
@Suite(.timeLimit(.minutes(20))) struct LikelyDoublesTests {
    private static func purchase(
        _ id: Int64, at seconds: Double, by user: String = "ann", product: String = "coins_100", amount: Int64 = 1000,
        _ status: Purchase.Status = .credited
    ) -> Purchase {
        let time = Date(timeIntervalSince1970: 1_767_225_600 + seconds)
        return Purchase(
            id: id, status: status, user: .named(user), payment: .sample(Int(id)), product: product, amount: amount,
            currency: .won, coins: 100, bonusCoins: 0, refundedAmount: 0, paidAt: time, creditedAt: time,
            journalEntryID: id)
    }

    @Test func `equal purchases within ten minutes are doubles, whatever their order`() {
        let three = [Self.purchase(3, at: 1200), Self.purchase(1, at: 0), Self.purchase(2, at: 600)]
        #expect(LikelyDoubles.ids(in: three) == [1, 2, 3], "each is near the next one")
        #expect(LikelyDoubles.ids(in: [Self.purchase(1, at: 0), Self.purchase(2, at: 600.001)]).isEmpty)
        #expect(LikelyDoubles.ids(in: [Self.purchase(1, at: 0), Self.purchase(2, at: 0)]) == [1, 2])
        #expect(LikelyDoubles.ids(in: []).isEmpty && LikelyDoubles.ids(in: [Self.purchase(1, at: 0)]).isEmpty)
    }

    @Test func `another user, product or amount, and what is refunded whole, is no double`() {
        let one = Self.purchase(1, at: 0)
        for other in [
            Self.purchase(2, at: 60, by: "bob"), Self.purchase(2, at: 60, product: "coins_500"),
            Self.purchase(2, at: 60, amount: 1001), Self.purchase(2, at: 60, .refunded),
        ] { #expect(LikelyDoubles.ids(in: [one, other]).isEmpty, "\(other)") }
        #expect(LikelyDoubles.ids(in: [one, Self.purchase(2, at: 60, .partiallyRefunded)]) == [1, 2])
    }
}
