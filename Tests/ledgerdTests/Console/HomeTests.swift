import Foundation
import Testing

@testable import Console
@testable import Ledger
@testable import LedgerServer

/// What the console's first page works out of what it reads.
@Suite(.timeLimit(.minutes(20))) struct HomeTests {
    @Test(arguments: [
        (-5.0, "0 min", "0분"), (59, "0 min", "0분"), (3_599, "59 min", "59분"), (3_600, "1 h", "1시간"),
        (172_799, "47 h", "47시간"), (172_800, "2 days", "2일"), (.infinity, "11,574,074 days", "11,574,074일"),
    ])
    func `an age is said in minutes, hours or days`(seconds: Double, english: String, korean: String) {
        #expect(Age.text(of: seconds, .english) == english && Age.text(of: seconds, .korean) == korean)
    }

    @Test func `days, month and quarter begin at midnight in the books' time zone`() throws {
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        // 2026-08-31 15:30 in UTC.
        let now = Date(timeIntervalSince1970: 1_788_190_200)
        let moments = HomeMoments(now: now, in: seoul)
        #expect(
            moments.days.map { Show.time($0, in: seoul) } == ["2026-09-01 00:00:00 KST", "2026-09-02 00:00:00 KST"])
        #expect(Show.time(moments.startOfQuarter, in: seoul) == "2026-07-01 00:00:00 KST")
        let utc = HomeMoments(now: now, in: .gmt)
        #expect(utc.days.count == 32 && Show.time(utc.startOfMonth, in: .gmt) == "2026-08-01 00:00:00 UTC")
    }

    @Test func `what waits is the oldest of all lists`() {
        func item(_ since: Double, _ link: String) -> ToDoItem {
            ToDoItem(since: Date(timeIntervalSince1970: since), what: "", user: nil, link: link)
        }
        let lists = [(0..<10).map { item(Double($0) * 2, "a\($0)") }, (0..<10).map { item(Double($0) * 2, "b\($0)") }]
        let oldest = ToDoItem.oldest(of: lists).map(\.link)
        #expect(oldest == ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5", "b5"])
        #expect(ToDoItem.oldest(of: [[], []]) == [])
    }

    @Test func `sales of days that are over are kept for ten minutes, and today is read each time`() async throws {
        let bounds = (0...3).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
        let now = bounds[2] + 3600
        let sales = HomeSales()
        func list(at now: Date, reads expected: [Date]) async throws {
            let found = try await sales.list(between: bounds, now: now) { asked in
                #expect(asked == expected)
                return asked.dropLast().map(Self.sale)
            }
            #expect(found.map(\.day) == Array(bounds.dropLast()))
        }
        try await list(at: now, reads: bounds)
        try await list(at: now + 599, reads: Array(bounds[2...]))
        try await list(at: now + 600, reads: bounds)
        #expect(HomePage.amounts([Self.sale(bounds[0]), Self.sale(bounds[1])]) == "₩2,000")
        #expect(HomePage.amounts([]) == "₩0")
    }

    private static func sale(_ day: Date) -> ProductSales {
        ProductSales(
            day: day, product: "coins", currency: .won, purchases: 1, coins: 100, bonusCoins: 0, amount: 1000,
            refunded: 0)
    }
}
