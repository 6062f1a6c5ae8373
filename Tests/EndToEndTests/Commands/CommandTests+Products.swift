import TestSupport
import Testing

/// Commands about products, and prices that change.
extension CommandTests {
    @Test func `products are added, changed and retired`() async throws {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func products(
                _ arguments: String..., code: Int32 = 0, says: String, sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                let isList = arguments.isEmpty || arguments[0] == "list"
                let child = try house.start(["products"] + arguments + (isList ? [] : ["--by", "kim"]), settings)
                #expect(try await child.exit() == .code(code), "\(child.standardError)", sourceLocation: sourceLocation)
                let said = code == 0 ? child.standardOutput : child.standardError
                #expect(said.contains(says), "\(said)", sourceLocation: sourceLocation)
                if code == 1 { StartTests.expectOneLine(said, [], sourceLocation: sourceLocation) }
            }
            func add(
                _ name: String, title: String = "T", price: String, coins: String = "10", code: Int32 = 0, says: String,
                sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                try await products(
                    "add", name, "--title", title, "--price", price, "--coins", coins, code: code, says: says,
                    sourceLocation: sourceLocation)
            }
            try await products(
                says: """
                    CODE       TITLE     PRICE  CURRENCY  COINS  BONUS  COIN LIFE  BONUS LIFE  VAT
                    coins_100  100 Coin   1000  KRW         100      0  default    default     at_use
                    coins_500  500 Coin   5000  KRW         500     50  default    default     at_use

                    """)
            try await add("coins_10", title: "열 코인", price: "100", says: "on sale: coins_10, 열 코인, 100 KRW, 10 coins\n")
            try await add("coins_11", price: "100", code: 1, says: "another product on sale has this price")
            try await add("coins_10", price: "101", code: 1, says: "another product on sale has this code")
            try await add("coins 10", price: "101", code: 1, says: "1 to 64 letters")
            let long = String(repeating: "t", count: 41)
            try await add("c", title: long, price: "101", code: 1, says: "1 to 40 characters")
            try await add("c", price: "101", coins: "0", code: 64, says: "from 1 to")
            try await add("c", price: "-1", code: 64, says: "price")
            try await add("c", price: "1000.5", code: 64, says: "whole number of won")
            try await products(
                "change", "coins_10", "--price", "110", "--bonus", "2", says: "110 KRW, 10 coins + 2 bonus")
            try await products("change", "coins_10", "--bonus", "0", says: "110 KRW, 10 coins\n")
            try await products(
                "change", "coins_10", "--coin-days", "365", "--bonus-coin-days", "forever",
                says: "10 coins, paid coins for 365 days, bonus coins forever\n")
            try await products("list", says: "10      0  365 d      forever")
            try await products("change", "coins_10", "--coin-days", "default", says: "10 coins, bonus coins forever\n")
            try await products("change", "coins_10", "--coin-days", "0", code: 64, says: "days from 1 to 36500")
            try await products("change", "coins_10", "--price", "1000", code: 1, says: "has this price")
            try await products("change", "coins_10", code: 64, says: "Nothing to change")
            try await products("change", "nothing", "--price", "7", code: 1, says: "on sale has the code nothing")
            try await products("retire", "coins_10", says: "retired: coins_10")
            try await products("retire", "coins_10", code: 1, says: "no product on sale has the code coins_10")
            let later = ["--from", "2099-01-01T00:00:00+09:00", "--until", "2099-02-01T00:00:00+09:00"]
            try await products(
                "add", "new_year", "--title", "New", "--price", "990", "--coins", "99", later[0], later[1], later[2],
                later[3], says: "planned from 2098-12-31T15:00:00.000Z until 2099-01-31T15:00:00.000Z: new_year, New")
            try await products("list", "--planned", says: "new_year  New      990")
            try await products(
                "add", "c", "--title", "C", "--price", "990", "--coins", "1", code: 1, says: "will have it")
            try await products(
                "change", "coins_100", "--until", "2020-01-01T00:00:00Z", code: 1, says: "ends after it has begun")
            try await products(
                "add", "c", "--title", "C", "--price", "1", "--coins", "1", "--from", "soon", code: 64, says: "RFC 3339"
            )
            try await products("withdraw", "new_year", says: "withdrawn: new_year")
            try await products("withdraw", "new_year", code: 1, says: "no sale of new_year is planned")
            try await products("list", "--planned", says: "no sale is planned")
            try await products("list", says: "coins_500")
            let json = JSON(Array(try await house.run("products", "--json", with: settings).output.utf8))
            #expect(json["products"].elements.map { $0["code"].text } == ["coins_100", "coins_500"])
            #expect(json["products"].elements.last?["bonus_coins"] == 50)
            #expect(try await house.books.count("SELECT count(*) FROM product WHERE active_until IS NULL") == 2)
            let recorded = """
                SELECT DISTINCT act || ' ' || target || ' ' || subject || ' ' || outcome
                FROM audit JOIN audit_outcome ON audit_id = audit.id
                WHERE target IN ('product:coins_10', 'product:new_year') AND outcome = 'done' ORDER BY 1
                """
            #expect(
                try await house.books.texts(recorded) == [
                    "add-product product:coins_10 terminal:kim done", "add-product product:new_year terminal:kim done",
                    "change-product product:coins_10 terminal:kim done",
                    "retire-product product:coins_10 terminal:kim done",
                    "withdraw-product product:new_year terminal:kim done",
                ])
        }
    }

    @Test func `a changed price applies to new payments, the old one to those begun before`() async throws {
        try await House.open { house, gateway, service in
            let before = try await gateway.pay("1000")
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let changed = try await house.run("products", "change", "coins_100", "--price", "1100", with: settings)
            #expect(changed.exit == .code(0))
            #expect(try await service.present(before).status == 201)
            #expect(try await service.present(try await gateway.pay("1100")).status == 201)
            let products = try await service.get("/v1/products")
            #expect(products.json["products"].elements.map { $0["price"] } == [1100, 5000])
            #expect(try await service.coins() == 200)
        }
    }

    @Test func `a product changed by another process is seen`() async throws {
        try await House.open { house, _, service in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func tag(_ service: Service) async throws -> String {
                let answer = try await service.get("/v1/products")
                #expect(answer.headers["Cache-Control"] == "public, no-cache")
                return try #require(answer.headers["ETag"])
            }
            for price in [1100, 1200, 1300] {
                let before = try await tag(service)
                let same = try await service.send(.get, "/v1/products", headers: [("If-None-Match", before)])
                #expect(same.status == 304 && same.text.isEmpty, "\(same)")
                let changed = try await house.run(
                    "products", "change", "coins_100", "--price", "\(price)", with: settings)
                #expect(changed.exit == .code(0))
                var answer = same
                try await eventually("it is seen") {
                    answer = try await service.send(.get, "/v1/products", headers: [("If-None-Match", before)])
                    return answer.status == 200
                }
                #expect(answer.json["products"].elements.first?["price"].integer == Int64(price), "\(answer)")
            }
        }
    }
}
