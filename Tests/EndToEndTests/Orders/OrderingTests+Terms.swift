import Foundation
import LedgerTestSupport
import TestSupport
import Testing

extension OrderingTests {
    @Test func `the coins are those of the order, even if the product has changed`() async throws {
        try await House.openNotified { house, gateway, service in
            let name = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            try await house.books.execute(
                """
                UPDATE product SET active_until = now() - interval '1 day', active_from = now() - interval '2 days';
                INSERT INTO product (code, title, price, currency, coins, bonus_coins)
                VALUES ('coins_100', '100 Coin', 1500, 'KRW', 90, 0), ('coins_10', '10 Coin', 1000, 'KRW', 10, 0)
                """)
            try await gateway.pay(name, 1000, .v1)
            try await eventually("it is credited") { try await service.coins() == 100 }
            #expect(try await house.books.texts("SELECT product FROM purchase") == ["coins_100"])
        }
    }

    @Test func `coins live as long as the version that was sold says, counted from the credit`() async throws {
        try await House.open(["LEDGERD_PAID_COIN_LIFETIME": "10d", "LEDGERD_BONUS_COIN_LIFETIME": "20d"]) {
            house, gateway, service in
            try await house.books.execute(
                "UPDATE product SET coin_days = 365, bonus_coin_days = 0 WHERE code = 'coins_500'")
            let name = try #require(try await service.order("coins_500").json["merchant_uid"].text)
            // The version that is on sale when the payment is credited says something else.
            try await house.books.execute(
                "UPDATE product SET coin_days = 1, bonus_coin_days = 1 WHERE code = 'coins_500'")
            try await eventually("the shop tells the lifetime") {
                let products = try await service.get("/v1/products").json["products"].elements
                return products.map { $0["coin_days"] } == [JSON.null, 1]
            }
            #expect(try await service.present(gateway.pay(name, 5000, .v1)).status == 201)
            let general = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            #expect(try await service.present(gateway.pay(general, 1000, .v1)).status == 201)
            // To the end of the last day in Seoul: the day of the credit is one more.
            let days = try await house.books.texts(
                """
                SELECT coins || ' ' || kind || ' ' || coalesce((
                    expires_at AT TIME ZONE 'Asia/Seoul' - (acquired_at AT TIME ZONE 'Asia/Seoul')::date)::text, 'forever')
                FROM lot ORDER BY id
                """)
            #expect(days == ["500 paid 366 days", "50 bonus forever", "100 paid 11 days"])
        }
    }

    @Test func `days are exact if the setting says so, and a gateway has lifetimes of its own`() async throws {
        let settings = [
            "LEDGERD_WHOLE_DAYS_FROM": "never", "LEDGERD_BONUS_COIN_LIFETIME": "20d",
            "LEDGERD_GATEWAY_COIN_LIFETIMES": "portone-v1=30d/40d,portone-v2=forever",
        ]
        try await House.open(settings) { house, gateway, service in
            try await house.books.execute("UPDATE product SET coin_days = 365 WHERE code = 'coins_500'")
            let name = try #require(try await service.order("coins_500").json["merchant_uid"].text)
            #expect(try await service.present(gateway.pay(name, 5000, .v1)).status == 201)
            let days = try await house.books.texts(
                """
                SELECT coins || ' ' || kind || ' ' || (extract(epoch FROM expires_at - acquired_at) / 86400)::numeric(9, 3)
                FROM lot ORDER BY id
                """)
            #expect(days == ["500 paid 365.000", "50 bonus 40.000"])
            try await house.expectSound()
        }
    }

    @Test func `an order made before the sale ends is credited after it, and nothing new is ordered`() async throws {
        try await House.with { house in
            // A minute ago the product is on sale for half a minute more.
            let begin = Date.now.addingTimeInterval(-60)
            let clock = try await TestClock(in: house.ledger, at: begin)
            try await house.books.execute(
                """
                UPDATE product SET active_from = '2025-01-01', active_until = CASE code
                    WHEN 'coins_100' THEN timestamptz '\((begin + 30).formatted(.iso8601))' END
                """)
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway)
            let name = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            try await eventually("the shop tells the end") {
                let products = try await service.get("/v1/products").json["products"].elements
                return products.first { $0["code"] == "coins_100" }?["sold_until"].text != nil
            }
            let tag = try #require(try await service.get("/v1/products").headers["ETag"])
            try await clock.set(to: .now + 60)
            try await eventually("the shop shows it no more") {
                let products = try await service.send(.get, "/v1/products", headers: [("If-None-Match", tag)])
                return products.status == 200 && !products.text.contains("coins_100")
            }
            #expect(try await service.order("coins_100").code == "product_not_found")
            let payment = try await gateway.pay(name, 1000, .v1)
            let answer = try await service.present(payment)
            #expect(answer.status == 201 && answer.purchase["product"] == "coins_100", "\(answer)")
            try await house.expectSound()
        }
    }
}
