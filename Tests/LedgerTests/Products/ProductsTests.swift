import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ProductsTests {
    @Test func `products are added, changed and retired, and each version is kept`() async throws {
        try await TestLedger.with { ledger, test in
            let shop = ledger.products
            let first = try await shop.add(Self.draft("coins_100", won: 1000))
            _ = try await shop.add(Self.draft("coins_50", won: 500))
            #expect(try await shop.list().map(\.code) == ["coins_50", "coins_100"])
            let changed = try await shop.change("coins_100") { $0.price = sure(Price(won: 1200)) }
            #expect(changed.price.amount == 1200 && changed.activeUntil == nil)
            let since = try await shop.list(since: first.activeFrom)
            #expect(since.filter { $0.code == "coins_100" }.map(\.price.amount) == [1000, 1200])
            #expect(try await shop.list(since: changed.activeFrom).map(\.price.amount).sorted() == [500, 1200])
            #expect(try await shop.retire("coins_100").activeUntil != nil)
            #expect(try await shop.list().map(\.code) == ["coins_50"])
            #expect(try await shop.list(since: changed.activeFrom).count == 2)
            #expect(try await test.number("SELECT count(*) FROM product") == 3)
            #expect(try await shop.add(Self.draft("coins_100", won: 1000)).code == "coins_100")
        }
    }

    @Test func `a planned sale begins and ends by the clock, and a payment of it is found afterwards`() async throws {
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        try await TestLedger.with(at: start) { ledger, test, clock in
            let shop = ledger.products
            let sale = SalePeriod(from: start + 2, until: start + 4)
            _ = try await shop.add(Self.draft("new_year", won: 990, sale))
            #expect(try await shop.list().isEmpty)
            #expect(try await shop.list(since: start).isEmpty)
            #expect(try await shop.planned().map(\.code) == ["new_year"])
            try await clock.set(to: start + 1)
            #expect(try await shop.list().isEmpty)
            try await clock.set(to: start + 2)
            #expect(try await shop.list().map(\.code) == ["new_year"])
            #expect(try await shop.planned().isEmpty)
            // An end that is to come is no end yet for a payment.
            #expect(try await shop.list(since: start).map(\.activeUntil) == [nil])
            #expect(try await shop.list().first?.activeUntil != nil)
            try await clock.set(to: start + 3)
            #expect(try await shop.list().map(\.code) == ["new_year"])
            try await clock.set(to: start + 4)
            #expect(try await shop.list().isEmpty)
            let sold = try await shop.list(since: start + 3)
            #expect(sold.map(\.code) == ["new_year"] && sold.first?.activeUntil != nil)
            #expect(try await shop.list(since: start + 5).isEmpty)
            #expect(try await test.number("SELECT count(*) FROM product") == 1)
            try await test.execute("UPDATE product SET active_until = active_from")
            #expect(try await shop.list(since: start - 5).isEmpty, "what was withdrawn was never sold")
        }
    }

    @Test func `no two products have a code or a price at the same moment, now or later`() async throws {
        try await TestLedger.with { ledger, test in
            let shop = ledger.products
            let (day, now) = (TimeInterval(86_400), Date())
            let week = SalePeriod(from: now + day, until: now + 7 * day)
            _ = try await shop.add(Self.draft("a", won: 1000, week))
            await Self.expectInvalid("price") { _ = try await shop.add(Self.draft("b", won: 1000)) }
            await Self.expectInvalid("code") { _ = try await shop.add(Self.draft("a", won: 2000)) }
            _ = try await shop.add(Self.draft("b", won: 1000, SalePeriod(until: now + day)))
            _ = try await shop.add(Self.draft("a", won: 2000, SalePeriod(from: now + 7 * day)))
            await Self.expectInvalid("price") { _ = try await shop.retire("b", at: now + 2 * day) }
            for sale in [
                SalePeriod(from: now - day), SalePeriod(until: now - day),
                SalePeriod(from: now + day, until: now + day),
            ] {
                await Self.expectInvalid("begun") { _ = try await shop.add(Self.draft("c", won: 3000, sale)) }
            }
            let later = try await shop.change("b") {
                $0.price = sure(Price(won: 1100))
                $0.sale.from = now + day / 2
            }
            #expect(abs(try #require(later.activeUntil).timeIntervalSince(now + day)) < 0.001)
            #expect(later.price.amount == 1100)
            #expect(try await shop.list().map(\.price.amount) == [1000])
            #expect(try await shop.planned().map(\.price.amount) == [1100, 1000, 2000])
            #expect(try await shop.withdraw("a").count == 2)
            await Self.expectInvalid("planned") { _ = try await shop.withdraw("a") }
            #expect(try await shop.planned().map(\.price.amount) == [1100])
            #expect(try await shop.withdraw("b").map(\.price.amount) == [1100])
            #expect(try await shop.list().map(\.activeUntil) == [later.activeUntil], "it goes on as it is")
            await #expect(throws: PostgresError.self, "the database itself refuses it") {
                try await test.execute(
                    """
                    INSERT INTO product (code, title, price, currency, coins, bonus_coins)
                    VALUES ('b', 'B', 7, 'KRW', 1, 0)
                    """)
            }
        }
    }

    @Test func `a version has its own lifetimes of coins, and an order keeps those that were sold`() async throws {
        try await TestLedger.with { ledger, test in
            let shop = ledger.products
            _ = try await shop.add(Self.draft("a", won: 1000))
            #expect(try await shop.list().map(\.lifetimes) == [ProductLifetimes()])
            let sold = try await shop.change("a") {
                $0.lifetimes = ProductLifetimes(paid: .days(365), bonus: .forever)
            }
            let order = try #require(
                try await ledger.orders.make(
                    OrderDraft(
                        user: .named("ann"), merchantUID: "order-1", gateway: "portone-v1", product: sold,
                        lifetime: .seconds(60))))
            let next = try await shop.change("a") { $0.lifetimes.paid = nil }
            #expect(next.lifetimes == ProductLifetimes(bonus: .forever), "what is not changed stays")
            #expect(order.lifetimes == ProductLifetimes(paid: .days(365), bonus: .forever))
            #expect(try await ledger.orders.find(named: "order-1")?.lifetimes == order.lifetimes)
            #expect(
                try await shop.list(since: .distantPast).suffix(2).map(\.lifetimes) == [sold.lifetimes, next.lifetimes])
            await #expect(throws: PostgresError.self) {
                try await test.execute("UPDATE product SET bonus_coin_days = 36501")
            }
        }
    }

    @Test func `what was on sale at a moment is known later, and when a price was, but nothing planned`() async throws {
        try await TestLedger.with { ledger, test in
            let (shop, day) = (ledger.products, TimeInterval(86_400))
            let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
            try await test.execute(
                """
                INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from, active_until)
                SELECT code, code, price, 'KRW', 1, 0, now + first * interval '1 day', now + last * interval '1 day'
                FROM (SELECT timestamptz '\(now.formatted(.iso8601))' AS now) AS moment,
                    (VALUES ('old', 1000, -30, -20), ('a', 1000, -10, -5), ('b', 2000, -30, 3), ('c', 3000, -8, NULL),
                    ('withdrawn', 4000, -8, -8), ('planned', 5000, 2, NULL)) AS sale (code, price, first, last);
                INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from, active_until)
                VALUES ('before', 'before', 6000, 'KRW', 1, 0, '2020-01-01T00:00Z', '2020-01-02T00:00Z'),
                    ('after', 'after', 6000, 'KRW', 1, 0, '2020-01-02T00:00Z', '2020-01-03T00:00Z')
                """)
            let prices: [(days: Double, won: [Int64])] = [
                (-31, []), (-25, [1000, 2000]), (-15, [2000]), (-7, [1000, 2000, 3000]), (0, [2000, 3000]),
                (2.5, [2000, 3000]), (4, [2000, 3000]),
            ]
            for (days, won) in prices {
                let found = try await shop.prices(at: now + days * day, limit: 5)
                #expect(found.map(\.amount) == won, "day \(days)")
            }
            #expect(try await shop.prices(at: now - 7 * day, limit: 2).map(\.amount) == [1000, 2000])
            let handover = Date(timeIntervalSince1970: 1_577_923_200)
            #expect(try await shop.prices(at: handover, limit: 5).map(\.amount) == [6000], "each price once")
            let nearest: [(won: Int64, days: Double, code: String?)] = [
                (1000, -40, "old"), (1000, -25, "old"), (1000, -16, "old"), (1000, -14, "a"), (1000, 0, "a"),
                (2000, 0, "b"), (3000, -9, "c"), (4000, -8, nil), (5000, 3, nil), (999, 0, nil),
            ]
            for (won, days, code) in nearest {
                let found = try await shop.nearest(to: now + days * day, at: sure(Price(won: won)))
                #expect(found?.code == code, "\(won) on day \(days)")
            }
            let open = try await shop.nearest(to: now, at: sure(Price(won: 2000)))
            #expect(open?.activeUntil == nil, "an end in the future is not shown")
            let ended = try await shop.nearest(to: now, at: sure(Price(won: 1000)))?.activeUntil
            #expect(ended == now - 5 * day)
        }
    }

    @Test func `what contradicts what is on sale is refused as the caller's mistake`() async throws {
        try await TestLedger.with { ledger, _ in
            let shop = ledger.products
            _ = try await shop.add(Self.draft("a", won: 1000))
            _ = try await shop.add(Self.draft("b", won: 2000))
            await Self.expectInvalid("code") { _ = try await shop.add(Self.draft("a", won: 3000)) }
            await Self.expectInvalid("price") { _ = try await shop.add(Self.draft("c", won: 1000)) }
            await Self.expectInvalid("price") { _ = try await shop.change("b") { $0.price = sure(Price(won: 1000)) } }
            await Self.expectInvalid("code") { _ = try await shop.add(Self.draft("no spaces", won: 1)) }
            await Self.expectInvalid("title") { _ = try await shop.add(Self.draft("d", title: "", won: 1)) }
            await Self.expectInvalid("none") { _ = try await shop.change("none") { _ in } }
            await Self.expectInvalid("none") { _ = try await shop.retire("none") }
            #expect(try await shop.list().map(\.price.amount) == [1000, 2000])
        }
    }

    private static func draft(
        _ code: String, title: String = "Coins", won: Int64, _ sale: SalePeriod = SalePeriod()
    ) -> ProductDraft {
        ProductDraft(
            code: code, title: title, price: sure(Price(won: won)), coins: sure(Coins(won / 10 + 1)), sale: sale)
    }

    private static func expectInvalid(_ word: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("it was taken")
        } catch {
            let error = error as? LedgerError
            #expect(error?.code == .invalid && error?.message.contains(word) == true, "\(String(describing: error))")
        }
    }
}
