import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Prices of products in foreign currencies, and orders in them.
@Suite(.timeLimit(.minutes(20))) struct ProductPricesTests {
    private static let dollar = ForeignCurrency.named("USD")
    private static let day = TimeInterval(86_400)

    /// Lends a ledger with a product on sale and a rate of the dollar.
    private static func withShop(_ body: (Ledger, TestLedger) async throws -> Void) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.products.add(
                ProductDraft(code: "a", title: "A", price: sure(Price(won: 1000)), coins: sure(Coins(100))))
            try await ledger.publish("1387.40")
            try await body(ledger, test)
        }
    }

    private static func dollars(_ amount: Int64) -> ForeignPrice { sure(ForeignPrice(amount, in: dollar)) }

    @Test func `a price is replaced and ended by its currency, and the one in won stays`() async throws {
        try await Self.withShop { ledger, test in
            let shop = ledger.products
            #expect(try await shop.price(of: "a", in: Self.dollar) == nil)
            #expect(try await shop.setPrice(Self.dollars(99), of: "a").price == Self.dollars(99))
            try await ledger.publish("950.12", per: 100, of: "JPY")
            let yen = sure(ForeignPrice(120, in: .named("JPY")))
            _ = try await shop.setPrice(yen, of: "a")
            #expect(try await shop.setPrice(Self.dollars(109), of: "a").activeUntil == nil)
            #expect(try await shop.listWithPrices().map { $0.prices.map(\.price) } == [[yen, Self.dollars(109)]])
            #expect(try await shop.list().map(\.price.amount) == [1000])
            // Another version of the product keeps them.
            _ = try await shop.change("a") { $0.price = sure(Price(won: 1100)) }
            #expect(try await shop.price(of: "a", in: Self.dollar) == Self.dollars(109))
            _ = try await shop.retire("a")
            #expect(try await shop.listWithPrices().isEmpty)
            #expect(try await shop.foreignPrices().map(\.price) == [yen, Self.dollars(109)])
            #expect(try await shop.endPrice(of: "a", in: Self.dollar).activeUntil != nil)
            #expect(try await shop.price(of: "a", in: Self.dollar) == nil)
            #expect(try await shop.price(of: "a", in: .named("JPY")) == yen)
            #expect(try await test.number("SELECT count(*) FROM product_price WHERE currency = 'USD'") == 2)
        }
    }

    @Test func `a planned price follows the present one, which goes on if it is withdrawn`() async throws {
        try await Self.withShop { ledger, _ in
            let (shop, now) = (ledger.products, Date())
            let sale = SalePeriod(until: now + 9 * Self.day)
            _ = try await shop.setPrice(Self.dollars(99), of: "a", sale)
            let planned = try await shop.setPrice(
                Self.dollars(109), of: "a", SalePeriod(from: now + 2 * Self.day))
            #expect(abs(try #require(planned.activeUntil).timeIntervalSince(now + 9 * Self.day)) < 0.001)
            #expect(try await shop.price(of: "a", in: Self.dollar) == Self.dollars(99))
            #expect(try await shop.plannedPrices().map(\.price) == [Self.dollars(109)])
            await Self.expectInvalid("another price") {
                let sale = SalePeriod(from: now + Self.day, until: now + 3 * Self.day)
                _ = try await shop.setPrice(Self.dollars(119), of: "a", sale)
            }
            await Self.expectInvalid("another price") {
                _ = try await shop.endPrice(of: "a", in: Self.dollar, at: now + 3 * Self.day)
            }
            #expect(try await shop.withdrawPrices(of: "a", in: Self.dollar).map(\.price) == [Self.dollars(109)])
            let present = try await shop.listWithPrices().flatMap(\.prices)
            #expect(present.map(\.price) == [Self.dollars(99)] && present[0].activeUntil == planned.activeUntil)
            await Self.expectInvalid("planned") { _ = try await shop.withdrawPrices(of: "a", in: Self.dollar) }
        }
    }

    @Test func `a price that ends before the next one begins keeps its end`() async throws {
        try await Self.withShop { ledger, _ in
            let (shop, now) = (ledger.products, Date())
            let present = try await shop.setPrice(
                Self.dollars(79), of: "a", SalePeriod(until: now + Self.day))
            let next = try await shop.setPrice(
                Self.dollars(99), of: "a", SalePeriod(from: now + 2 * Self.day))
            #expect(next.activeUntil == nil)
            #expect(try await shop.foreignPrices() == [present])
            _ = try await shop.withdrawPrices(of: "a", in: Self.dollar)
            #expect(try await shop.foreignPrices() == [present])
        }
    }

    @Test func `no price is set without a rate, without a product, or for a time that is past`() async throws {
        try await Self.withShop { ledger, test in
            let (shop, now) = (ledger.products, Date())
            let euro = sure(ForeignPrice(99, in: .named("EUR")))
            await Self.expectInvalid("rate") { _ = try await shop.setPrice(euro, of: "a") }
            await Self.expectInvalid("none") { _ = try await shop.setPrice(Self.dollars(99), of: "none") }
            await Self.expectInvalid("USD") { _ = try await shop.endPrice(of: "a", in: Self.dollar) }
            for sale in [SalePeriod(from: now - Self.day), SalePeriod(until: now - Self.day)] {
                await Self.expectInvalid("begun") { _ = try await shop.setPrice(Self.dollars(99), of: "a", sale) }
            }
            let kept = try await test.number("SELECT count(*) FROM product_price")
            #expect(kept == 0)
            for amount in [0, -1, ForeignPrice.highest + 1] {
                #expect(ForeignPrice(amount, in: Self.dollar) == nil)
                await #expect(throws: PostgresError.self) {
                    try await test.execute(
                        "INSERT INTO product_price (product, currency, amount) VALUES ('a', 'USD', \(amount))")
                }
            }
        }
    }

    @Test func `no price is set whose worth at the last rate is no won, or more than a trillion`() async throws {
        try await Self.withShop { ledger, _ in
            let (shop, dong) = (ledger.products, ForeignCurrency.named("VND"))
            try await ledger.publish("0.05", of: "VND")
            // $720,772,668.30 at 1387.40 are ₩999,999,999,999.42.
            let cases: [(amount: Int64, currency: ForeignCurrency, isBookable: Bool)] = [
                (10, dong, false), (11, dong, true), (72_077_266_830, Self.dollar, true),
                (72_077_266_900, Self.dollar, false), (ForeignPrice.highest, Self.dollar, false),
            ]
            for (amount, currency, isBookable) in cases {
                let price = sure(ForeignPrice(amount, in: currency))
                #expect(try await shop.canBook(price) == isBookable, "\(price)")
                if isBookable {
                    #expect(try await shop.setPrice(price, of: "a").price == price)
                } else {
                    await Self.expectInvalid("last rate") { _ = try await shop.setPrice(price, of: "a") }
                }
            }
            #expect(try await !shop.canBook(sure(ForeignPrice(99, in: .named("EUR")))))
        }
    }

    @Test func `other coins are sold at prices that are there only if that is said`() async throws {
        try await Self.withShop { ledger, _ in
            let shop = ledger.products
            _ = try await shop.change("a") { $0.coins = sure(Coins(110)) }
            _ = try await shop.setPrice(Self.dollars(99), of: "a", SalePeriod(from: Date() + Self.day))
            await Self.expectInvalid("prices in other currencies") {
                _ = try await shop.change("a") { $0.coins = sure(Coins(120)) }
            }
            await Self.expectInvalid("prices in other currencies") {
                _ = try await shop.change("a") { $0.bonusCoins = Coins(10) }
            }
            #expect(try await shop.list().map(\.coins) == [sure(Coins(110))])
            // What does not change the coins does not ask.
            _ = try await shop.change("a") { $0.title = "B" }
            _ = try await shop.change("a", keepsPrices: true) { $0.coins = sure(Coins(120)) }
            _ = try await shop.retire("a")
            let again = ProductDraft(code: "a", title: "A", price: sure(Price(won: 900)), coins: sure(Coins(90)))
            await Self.expectInvalid("prices in other currencies") { _ = try await shop.add(again) }
            #expect(try await shop.add(again, keepsPrices: true).coins == again.coins)
        }
    }

    @Test func `the database takes no order in a currency without a rate, or beyond the highest amount`() async throws {
        try await Self.withShop { _, test in
            let owner = try await test.connectAsOwner()
            let cases: [(amount: Int64, currency: String, constraint: String?)] = [
                (ForeignPrice.highest, "USD", nil), (Price.highest, "KRW", nil), (99, "EUR", "order_currency_known"),
                (99, "ZZZ", "order_currency_known"), (ForeignPrice.highest + 1, "USD", "order_amount_in_range"),
                (Price.highest + 1, "KRW", "order_amount_in_range"),
            ]
            for (number, (amount, currency, constraint)) in cases.enumerated() {
                let order = """
                    INSERT INTO "order" (
                        merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at)
                    VALUES ('o\(number)', 'ann', 'portone-v1', 'a', \(amount), '\(currency)', 100, 0,
                        now() + interval '1 hour')
                    """
                if let constraint {
                    let error = await owner.refusal(of: order)
                    #expect(error?.constraint == constraint, "\(amount) \(currency): \(String(describing: error))")
                } else {
                    try await test.execute(order)
                }
            }
            await owner.close()
        }
    }

    @Test func `the coins of an order were on sale together with its price`() async throws {
        try await Self.withShop { ledger, test in
            let product = try #require(try await ledger.products.list().first)
            let set = try await ledger.products.setPrice(Self.dollars(99), of: "a")
            let draft = OrderDraft(
                user: .named("ann"), merchantUID: "order-1", gateway: "portone-v1", product: product,
                price: .foreign(set.price), lifetime: .seconds(3600))
            _ = try await ledger.orders.make(draft)
            try await Audit.expectSound(test)
            // The price of an hour ago, and the coins of now.
            try await test.execute(
                """
                UPDATE product_price SET active_from = now() - interval '2 minutes', active_until = now() - interval '1 minute';
                UPDATE product SET active_from = now() - interval '1 minute'
                """)
            let codes = try await Audit.problems(of: test).map { String($0.prefix { $0 != ":" }) }
            #expect(codes == ["order_differs_from_product"])
        }
    }

    @Test func `people write a price in the currency's unit`() {
        let cases: [(text: String, currency: String, amount: Int64?)] = [
            ("0.99", "USD", 99), ("1,250", "USD", 125_000), ("1.5", "USD", 150), ("0.999", "USD", nil),
            ("120", "JPY", 120), ("120.5", "JPY", nil), ("1.234", "KWD", 1234), ("0", "USD", nil), ("-1", "USD", nil),
            ("", "USD", nil), ("ten", "USD", nil), ("0,99", "USD", nil), ("1,5", "EUR", nil), ("1e3", "USD", nil),
        ]
        for (text, currency, amount) in cases {
            #expect(ForeignPrice(text: text, in: .named(currency))?.amount == amount, "\(text) \(currency)")
        }
        #expect(Self.dollars(5).text == "0.05" && Currency.text(120, "JPY") == "120 JPY")
    }

    @Test func `an order keeps its currency and amount, and is credited with both amounts`() async throws {
        try await Self.withShop { ledger, test in
            let product = try #require(try await ledger.products.list().first)
            let set = try await ledger.products.setPrice(Self.dollars(99), of: "a")
            let draft = OrderDraft(
                user: .named("ann"), merchantUID: "order-1", gateway: "portone-v1", product: product,
                price: .foreign(set.price), lifetime: .seconds(3600))
            let order = try #require(try await ledger.orders.make(draft))
            #expect(order.price == .foreign(Self.dollars(99)) && order.price.currency.code == "USD")
            _ = try await ledger.products.endPrice(of: "a", in: Self.dollar)
            #expect(try await ledger.orders.find(named: "order-1") == order)

            let rate = try #require(
                try await ledger.rates.find(ofPaymentIn: Self.dollar, paidAt: order.createdAt, in: .gmt))
            let act = CreditPurchase(
                user: order.user, payment: .sample(1, merchantUID: "order-1"), product: "a",
                price: sure(Price(won: 1374)),
                foreign: ForeignPayment(amount: 99, currency: Self.dollar, rateID: rate.id), coins: order.coins,
                bonusCoins: nil, paidAt: order.createdAt)
            let purchase = try #require(try await ledger.credit(act).credited?.purchase)
            #expect(purchase.paidAmount == 99 && purchase.amount == 1374)
            let owed = """
                SELECT sum(balance)::bigint FROM account
                WHERE owner IS NULL AND split_part(code, '/', 1) = 'gateway:receivable:USD'
                """
            #expect(try await test.number(owed) == 99)
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 99))
            #expect(try await test.number(owed) == 0)
            try await Audit.expectSound(test)

            // An order is of a price that was on sale, and its purchase of that order.
            try await test.execute(#"UPDATE "order" SET amount = 98"#)
            let codes = try await Audit.problems(of: test).map { String($0.prefix { $0 != ":" }) }
            #expect(codes.sorted() == ["order_differs_from_product", "purchase_differs_from_order"])
        }
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
