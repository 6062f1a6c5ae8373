import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Where an id is replaced, and where it is not.
extension ForgettingTests {
    /// An id is looked for between other characters than letters and digits; a word or a number only where it is one.
    @Test(arguments: [
        ("42", "user:42 has lot:42, 42 coins and 142", "user:F has lot:42, F coins and 142"),
        ("kim", "kim, kimchi, my_kim and order-kim-1", "F, kimchi, my_kim and order-F-1"),
        ("kim-minji", "xkim-minjix order_kim-minji_2 kim-minji10", "xkim-minjix order_F_2 kim-minji10"),
        ("customer1", "customer10 customer1,customer1", "customer10 F,F"),
        ("customer1", "?a%3Dcustomer1%20b", "?a%3DF%20b"), ("customer1", #"\ncustomer1"#, #"\nF"#),
        ("customer1", "customer1님", "F님"), ("42", "42님", "F님"), ("앤", "앤 앤서니", "F 앤서니"),
        ("a.b@c.kr", "a.b@c.kr a-b@c.kr", "F a-b@c.kr"), ("kim minji", "kim%20minji kim+minji", "F kim+minji"),
    ])
    func `an id is found where it stands for the user`(id: String, text: String, without: String) async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let found = try await connection.run(
                PostgresQuery<String>.one("SELECT without_id($1, places_of_id($2), 'F')", [text, id]))
            await connection.close()
            #expect(found == without)
        }
    }

    @Test func `names of payments and keys of others stay as they are`() async throws {
        try await TestLedger.with { ledger, test in
            let user = "customer1"
            let product = try await ledger.products.add(
                ProductDraft(
                    code: "coins_100", title: "100 Coin", price: sure(Price(won: 1000)), coins: sure(Coins(100)),
                    bonusCoins: nil))
            _ = try await ledger.credit(.sample(1, by: "customer10", merchantUID: "order-customer10"))
            _ = try await ledger.credit(.sample(2, by: "lee", merchantUID: "for-customer1-by-lee"))
            for (number, owner) in [user, "lee"].enumerated() {
                _ = try await ledger.orders.make(
                    OrderDraft(
                        user: .named(owner), merchantUID: "\(owner)-\(number)-customer1", gateway: "portone-v1",
                        product: product, lifetime: .seconds(3600)))
            }
            let gift = Grant.sample("gift of customer1", to: "lee")
            let given = try await ledger.submit(gift)
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await test.execute(
                """
                SET session_replication_role = replica;
                UPDATE "order" SET expires_at = created_at + interval '1 microsecond';
                INSERT INTO webhook_event (gateway, event_id, type, payment_id, status, reason, decided_at)
                SELECT gateway, id, 'paid', merchant_uid, 'done', 'reviewed', now() FROM "order"
                """)
            let forgotten = try await Self.forget(ledger, test, user)
            let new = forgotten.rawValue
            func texts(_ sql: String) async throws -> [String] {
                let connection = try await test.connectAsOwner()
                let texts = try await connection.run(PostgresQuery<[String]>(sql))
                await connection.close()
                return texts
            }
            let names = ["\(new)-0-\(new)", "lee-1-customer1"]
            #expect(try await texts("SELECT merchant_uid FROM \"order\" ORDER BY 1") == names)
            #expect(try await texts("SELECT payment_id FROM webhook_event ORDER BY 1") == names)
            #expect(
                try await texts("SELECT merchant_uid FROM purchase ORDER BY 1")
                    == ["for-customer1-by-lee", "order-customer10"])
            #expect(try await ledger.submit(gift).granted?.lotID == given.granted?.lotID, "the key is known")
        }
    }
}
