import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// Months of 2026 that pass in a house whose database has a clock of its own.
struct PastMonths {
    private let clock: TestClock

    /// - Parameter house: one without a service yet.
    init(in house: House) async throws {
        clock = try await TestClock(in: house.ledger, at: Self.second(of: 1))
        try await house.books.execute(
            """
            INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from)
            VALUES ('coins_200', '200 Coin', 2000, 'KRW', 200, 0, '2025-01-01')
            """)
    }

    /// Has a user buy 200 coins for ₩2,000 in a month, and use 60; then the month is over.
    func pass(_ month: Int, for user: String = "ann", at gateway: Gateway, _ service: Service) async throws {
        try await clock.set(to: Self.second(of: month))
        let paidAt = Int(Self.second(of: month).timeIntervalSince1970) - 60
        let payment = try await gateway.pay("2000", #", "started_at": \#(paidAt), "paid_at": \#(paidAt)"#)
        _ = try await service.buy(payment, by: user)
        let spent = try await service.post("/v1/users/\(user)/spends", #"{"coins": 60}"#, key: "month \(month)")
        #expect(spent.status == 201, "\(spent)")
        try await clock.set(to: Self.second(of: month + 1))
    }

    /// The second day of a month.
    private static func second(of month: Int) -> Date {
        sure(try? Date("2026-0\(month)-02T12:00:00Z", strategy: .iso8601))
    }
}
