import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct OrdersTests {
    @Test func `an order keeps what was sold, whatever becomes of the product`() async throws {
        try await TestLedger.with { ledger, test in
            let product = try await ledger.products.add(Self.coins100)
            let order = try #require(try await ledger.orders.make(Self.draft("order-1", product)))
            _ = try await ledger.products.change("coins_100") { $0.price = sure(Price(won: 1200)) }
            _ = try await ledger.products.retire("coins_100")
            let kept = try #require(try await ledger.orders.find(named: "order-1"))
            #expect(kept == order)
            #expect(kept.price.amount == 1000 && kept.coins.count == 100 && kept.bonusCoins?.count == 10)
            #expect(kept.product == "coins_100" && kept.gateway == "portone-v1" && kept.user == .named("ann"))
            #expect(abs(kept.expiresAt.timeIntervalSince(kept.createdAt) - 3600) < 0.001)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == 0, "an order is no posting")
        }
    }

    @Test func `an order is open until it expires, and paid for good once a purchase bears its name`() async throws {
        try await TestLedger.with { ledger, _ in
            let product = try await ledger.products.add(Self.coins100)
            let order = try #require(try await ledger.orders.make(Self.draft("order-1", product)))
            #expect(order.payment == nil)
            #expect(order.status(at: order.createdAt) == .open)
            #expect(order.status(at: order.expiresAt.addingTimeInterval(-0.001)) == .open)
            #expect(order.status(at: order.expiresAt) == .expired)

            let credited = try await ledger.credit(.sample(1, merchantUID: "order-1")).credited
            let paid = try #require(try await ledger.orders.find(order.id, of: .named("ann")))
            #expect(paid.payment?.purchaseID == credited?.purchase.id)
            #expect(paid.payment?.gateway == "portone-v1" && paid.payment?.paymentID == "imp_1")
            #expect(paid.status(at: order.expiresAt.addingTimeInterval(1)) == .paid)
            #expect(try await ledger.orders.find(named: "order-1") == paid)
        }
    }

    @Test func `a user reads only their own orders, newest first and page by page`() async throws {
        try await TestLedger.with { ledger, _ in
            let product = try await ledger.products.add(Self.coins100)
            for number in 1...5 { _ = try await ledger.orders.make(Self.draft("order-\(number)", product)) }
            let others = try #require(try await ledger.orders.make(Self.draft("order-6", product, by: "bob")))
            let first = try await ledger.orders.list(of: .named("ann"), limit: 3)
            #expect(first.elements.map(\.merchantUID) == ["order-5", "order-4", "order-3"])
            let second = try await ledger.orders.list(of: .named("ann"), after: first.next, limit: 3)
            #expect(second.elements.map(\.merchantUID) == ["order-2", "order-1"] && second.next == nil)
            #expect(try await ledger.orders.find(others.id, of: .named("ann")) == nil)
            #expect(try await ledger.orders.find(others.id, of: .named("bob")) == others)
            #expect(try await ledger.orders.find(named: "order-7") == nil)
        }
    }

    @Test func `a user's key makes one order however many ask at the same time`() async throws {
        try await TestLedger.with { ledger, test in
            let product = try await ledger.products.add(Self.coins100)
            let made = try await together(32) { number in
                try await ledger.orders.make(Self.draft("order-\(number)", product, key: "key"))
            }
            let order = try #require(made.compactMap(\.self).first)
            #expect(made.compactMap(\.self).count == 1)
            #expect(try await ledger.orders.find(under: Self.key(of: "ann")) == order)
            #expect(try await ledger.orders.find(under: Self.key(of: "bob")) == nil)
            #expect(try await ledger.orders.make(Self.draft("order-b", product, by: "bob", key: "key")) != nil)
            for number in 0..<2 { _ = try await ledger.orders.make(Self.draft("keyless-\(number)", product)) }
            #expect(try await test.number(#"SELECT count(*) FROM "order""#) == 4)
        }
    }

    @Test func `a user may have so many orders under way and no more`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute(Self.orders(Orders.mostPerUser - 1))
            #expect(try await !ledger.orders.isFull(for: .named("ann")))
            try await test.execute(Self.orders(1))
            #expect(try await ledger.orders.isFull(for: .named("ann")))
            #expect(try await !ledger.orders.isFull(for: .named("bob")))
            try await test.execute(
                #"UPDATE "order" SET created_at = now() - interval '2 hours', expires_at = now() - interval '1 hour'"#)
            #expect(try await !ledger.orders.isFull(for: .named("ann")), "what has expired is not under way")
        }
    }

    @Test func `a name is taken once, by whomever`() async throws {
        try await TestLedger.with { ledger, _ in
            let product = try await ledger.products.add(Self.coins100)
            _ = try await ledger.orders.make(Self.draft("order-1", product))
            await #expect(throws: LedgerError.self) {
                try await ledger.orders.make(Self.draft("order-1", product, by: "bob"))
            }
        }
    }

    private static let coins100 = ProductDraft(
        code: "coins_100", title: "100 Coin", price: sure(Price(won: 1000)), coins: sure(Coins(100)),
        bonusCoins: Coins(10))

    private static func key(_ text: String = "key", of user: String) -> CallerKey {
        sure(CallerKey(text, of: .named(user)))
    }

    private static func draft(
        _ merchantUID: String, _ product: Product, by user: String = "ann", key: String? = nil
    ) -> OrderDraft {
        OrderDraft(
            user: .named(user), merchantUID: merchantUID, gateway: "portone-v1", product: product,
            lifetime: .seconds(3600), idempotencyKey: key.map { Self.key($0, of: user) })
    }

    /// That many orders of Ann's.
    private static func orders(_ count: Int64) -> String {
        """
        INSERT INTO "order" (merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at)
        SELECT gen_random_uuid()::text, 'ann', 'portone-v1', 'coins_100', 1000, 'KRW', 100, 0, now() + interval '1 hour'
        FROM generate_series(1, \(count))
        """
    }
}
