import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Purchases in Apple's sandbox, which nobody has paid: bonus coins for testers and App Review, and no purchases.
@Suite(.timeLimit(.minutes(20))) struct StoreTrialTests {
    private static func present(
        _ bought: AppStoreSandbox.Bought, to service: Service, by user: String = "ann"
    ) async throws -> Answer {
        try await service.post("/v1/receipts", bought.receipt, as: Token.user(user))
    }

    @Test func `capped: anybody's purchase gives bonus coins once, up to so many a day`() async throws {
        let settings = ["LEDGERD_APP_STORE_SANDBOX": "capped", "LEDGERD_APP_STORE_SANDBOX_COINS": "150"]
        // The limit is one of a day, which must not end meanwhile.
        try await House.openStore(settings.merging(Noon.setting) { $1 }) { house, store, service in
            let tried = try await store.buy(#", "environment": "Sandbox""#)
            let given = try await Self.present(tried, to: service)
            #expect(given.status == 201 && given.json["trial"]["coins"] == 100, "\(given)")
            #expect(given.json["purchase"]["id"].integer == nil, "\(given)")
            #expect(given.json["balance"]["bonus"] == 100 && given.json["balance"]["paid"] == 0, "\(given)")
            let again = try await Self.present(tried, to: service)
            #expect(again.status == 200 && again.json["trial"] == given.json["trial"], "\(again)")
            let stolen = try await Self.present(tried, to: service, by: "eve")
            #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")

            let more = try await store.buy(#", "environment": "Sandbox""#)
            let limited = try await Self.present(more, to: service)
            #expect(limited.code == "grant_limit_exceeded" && limited.json["available"] == 50, "\(limited)")
            #expect(try await Self.present(more, to: service, by: "bob").status == 201)

            // Whatever the sandbox says that it costs: App Review buys in another country's store.
            let dollars = try await store.buy(
                #", "environment": "Sandbox", "currency": "USD", "price": 990, "storefront": "USA""#)
            #expect(try await Self.present(dollars, to: service, by: "dan").json["trial"]["coins"] == 100)
            let unheard = try await store.buy(#", "environment": "Sandbox", "currency": "ZZZ", "price": 990"#)
            #expect(try await Self.present(unheard, to: service, by: "eli").json["trial"]["coins"] == 100)

            // What is free in the sandbox is a trial with its limits, and not free without them.
            let free = #", "environment": "Sandbox", "offer_code": "SPRING""#
            let first = try await Self.present(try await store.buy(free), to: service, by: "fay")
            #expect(first.json["trial"]["coins"] == 100 && first.json["free"]["coins"].integer == nil, "\(first)")
            let second = try await Self.present(try await store.buy(free), to: service, by: "fay")
            #expect(second.code == "grant_limit_exceeded", "\(second)")

            let shared = try await store.buy(#", "environment": "Sandbox", "ownership": "FAMILY_SHARED""#)
            #expect(try await Self.present(shared, to: service, by: "cid").code == "family_shared")
            let unknown = try await store.buy(
                product: "com.example.coins.9", notify: false, #", "environment": "Sandbox""#)
            #expect(try await Self.present(unknown, to: service, by: "cid").code == "unknown_store_product")

            for currency in ["KRW", "ZZZ"] {
                let parted = try await store.buy(
                    #", "environment": "Sandbox", "quantity": 3, "currency": "\#(currency)""#)
                try await store.change(parted, #""act": "refund", "percentage": 33333, "notify": false"#)
                #expect(try await Self.present(parted, to: service, by: "cid").code == "payment_partially_cancelled")
            }

            // What is paid is a purchase as ever.
            #expect(try await Self.present(try await store.buy(), to: service).json["purchase"]["coins"] == 100)
            #expect(try await house.books.count("SELECT count(*) FROM purchase") == 1)
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 1200, "\(owed)")
            let lots = try await service.get("/v1/me/lots", as: Token.user("bob"))
            #expect(lots.json["lots"].elements.count == 1, "\(lots)")
            #expect(lots.json["lots"].elements.allSatisfy { $0["kind"] == "bonus" && $0["expires_at"].text != nil })
            try await house.expectSound()
        }
    }

    @Test func `a purchase gives what its product is when it first gives coins, and never more`() async throws {
        let settings = ["LEDGERD_APP_STORE_SANDBOX": "capped", "LEDGERD_APP_STORE_SANDBOX_COINS": "150"]
        try await House.openStore(settings.merging(Noon.setting) { $1 }) { house, store, service in
            func sell(_ product: String) async throws {
                let named = try await service.send(
                    .put, "/v1/store-products/app-store/com.example.coins/com.example.coins.9", as: Token.finance(),
                    headers: [("Content-Type", "application/json")], body: #"{"product": "\#(product)"}"#)
                #expect(named.status == 200, "\(named)")
            }
            // From before the first product: the last one counts.
            let tried = try await store.buy(
                product: "com.example.coins.9", notify: false, #", "environment": "Sandbox""#)
            try await sell("coins_500")
            #expect(try await Self.present(tried, to: service).code == "grant_limit_exceeded")
            try await sell("coins_100")
            let given = try await Self.present(tried, to: service)
            #expect(given.status == 201 && given.json["trial"]["coins"] == 100, "\(given)")
            try await sell("coins_500")
            let again = try await Self.present(tried, to: service)
            #expect(again.status == 200 && again.json["trial"] == given.json["trial"], "\(again)")
            let stolen = try await Self.present(tried, to: service, by: "eve")
            #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")
            #expect(try await service.coins() == 100)

            let lookups = try await store.send(
                .get, "/sandbox/journal?path=/apple/sandbox/inApps/v1/transactions/\(tried.id)")
            #expect(lookups.json["requests"].elements.count == 4, "one for each receipt: \(lookups)")
            try await house.expectSound()
        }
    }

    /// A stored receipt is asked for without what was signed, and at production first, where another purchase can have its id.
    @Test func `a purchase in the sandbox is not kept while the store can't be asked`() async throws {
        try await House.openStore(["LEDGERD_APP_STORE_SANDBOX": "capped"]) { house, store, service in
            let tried = try await store.buy(#", "environment": "Sandbox""#)
            let paid = try await store.buy()
            let fault = #"{"path": "/apple/*/inApps/v1/transactions/*", "times": 1000000, "kind": "reset"}"#
            #expect(try await store.send(.put, "/sandbox/faults", fault).status == 200)
            for (bought, promise) in [(tried, "nothing is stored: try again later"), (paid, "service keeps trying")] {
                let waiting = try await Self.present(bought, to: service)
                #expect(waiting.status == 202 && waiting.code == "gateway_unavailable", "\(waiting)")
                #expect(waiting.json["detail"].text?.hasSuffix(promise) == true, "\(waiting)")
            }
            func kept(_ bought: AppStoreSandbox.Bought) async throws -> Int64 {
                try await house.books.count("SELECT count(*) FROM receipt_retry WHERE imp_uid = '\(bought.id)'")
            }
            #expect(try await kept(tried) == 0)
            #expect(try await kept(paid) == 1)
            try await house.expectSound()
        }
    }

    @Test func `testers: only their purchases give coins, and those of others are refused`() async throws {
        let settings = ["LEDGERD_APP_STORE_SANDBOX": "testers", "LEDGERD_APP_STORE_TESTERS": "ann,tom"]
        try await House.openStore(settings) { house, store, service in
            let refused = try await Self.present(
                try await store.buy(#", "environment": "Sandbox""#), to: service, by: "bob")
            #expect(refused.status == 422 && refused.code == "environment_mismatch", "\(refused)")

            let account = try await service.get("/v1/me/store-account", as: Token.user("tom"))
            let token = try #require(account.json["app_account_token"].text)
            let toms = try await store.buy(#", "environment": "Sandbox", "app_account_token": "\#(token)""#)
            #expect(try await Self.present(toms, to: service).code == "receipt_belongs_to_another_user")
            #expect(try await Self.present(toms, to: service, by: "tom").status == 201)
            #expect(try await service.coins(of: "bob") == 0)
            try await house.expectSound()
        }
    }
}
