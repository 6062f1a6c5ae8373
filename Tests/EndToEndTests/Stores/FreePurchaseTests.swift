import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Purchases in the App Store that cost nothing, as with a code of an offer: bonus coins, once, and no purchases.
@Suite(.timeLimit(.minutes(20))) struct FreePurchaseTests {
    private static let code = #", "offer_code": "SPRING""#

    /// Lends a house whose App Store tells the service what it does.
    private static func open(
        _ settings: [String: String] = [:], _ body: (House, AppStoreSandbox, Service) async throws -> Void
    ) async throws {
        try await House.openStore(settings) { house, store, service in
            let url = "http://127.0.0.1:\(service.port)/webhooks/app-store"
            let told = try await store.send(
                .put, "/sandbox/apple/app", #"{"notification_url": "\#(url)", "sandbox_notification_url": "\#(url)"}"#)
            #expect(told.status == 200, "\(told)")
            try await body(house, store, service)
        }
    }

    private static func present(
        _ bought: AppStoreSandbox.Bought, to service: Service, by user: String = "ann"
    ) async throws -> Answer {
        try await service.post("/v1/receipts", bought.receipt, as: Token.user(user))
    }

    private static func spend(_ coins: Int, _ service: Service) async throws {
        let spent = try await service.post("/v1/users/ann/spends", #"{"coins": \#(coins)}"#, key: "spend-\(coins)")
        #expect(spent.status == 201, "\(spent)")
    }

    @Test func `what was free gives bonus coins once, to whoever presents it first, and no money is owed`()
        async throws
    {
        try await House.openStore { house, store, service in
            let free = try await store.buy(Self.code + #", "quantity": 3"#)
            let given = try await Self.present(free, to: service)
            #expect(given.status == 201 && given.json["free"]["coins"] == 300, "\(given)")
            #expect(given.json["purchase"]["id"].integer == nil && given.json["trial"]["coins"].integer == nil)
            #expect(given.json["free"]["expires_at"].text == nil, "\(given)")
            #expect(given.json["balance"]["bonus"] == 300 && given.json["balance"]["paid"] == 0, "\(given)")
            let again = try await Self.present(free, to: service)
            #expect(again.status == 200 && again.json["free"] == given.json["free"], "\(again)")
            let stolen = try await Self.present(free, to: service, by: "eve")
            #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")

            // The currency of nothing does not matter.
            let dollars = try await store.buy(Self.code + #", "currency": "USD", "storefront": "USA""#)
            #expect(try await Self.present(dollars, to: service, by: "bob").json["free"]["coins"] == 100)
            let shared = try await store.buy(Self.code + #", "ownership": "FAMILY_SHARED""#)
            #expect(try await Self.present(shared, to: service).code == "family_shared")

            #expect(try await house.books.count("SELECT count(*) FROM purchase") == 0)
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            let found = try await service.get("/v1/search?name=\(free.id)", as: Token.support())
            #expect(found.json["matches"].elements.first?["user"] == "ann", "\(found)")
            let statement = try await service.get("/v1/me/statement", as: Token.user("ann"))
            #expect(statement.text.contains("free purchase app-store \(free.id)"), "\(statement)")
            try await house.settled()
            try await house.expectSound()
        }
    }

    @Test func `many attempts at once, by the app and by Apple's notification, give the coins once`() async throws {
        try await Self.open { house, store, service in
            let account = try await service.get("/v1/me/store-account", as: Token.user("ann"))
            let token = try #require(account.json["app_account_token"].text)
            let free = try await store.buy(
                product: "com.example.coins.100", notify: true,
                Self.code + #", "price": 0, "app_account_token": "\#(token)""#)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await Self.present(free, to: service).status } }
                for try await status in group { #expect([200, 201].contains(status)) }
            }
            #expect(try await Self.present(free, to: service, by: "eve").code == "receipt_belongs_to_another_user")
            try await house.settled()
            #expect(try await service.coins() == 100)
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry WHERE kind = 'grant'") == 1)

            // Told by Apple alone.
            _ = try await store.buy(
                product: "com.example.coins.100", notify: true, Self.code + #", "app_account_token": "\#(token)""#)
            try await eventually("it is given, though the app presents nothing") { try await service.coins() == 200 }
            try await house.settled()
            try await house.expectSound()
        }
    }

    @Test func `what waited with a finding is given by its next attempt, and the finding ends`() async throws {
        try await House.openStore { house, store, service in
            let free = try await store.buy(product: "com.example.coins.9", notify: false, Self.code)
            #expect(try await Self.present(free, to: service).code == "unknown_store_product")
            // As a release stored it that gave nothing for what was free.
            try await house.books.execute("UPDATE receipt_retry SET reason = 'price_not_bookable'")
            let findings = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
            #expect(findings.map { $0["imp_uid"].text } == [free.id], "\(findings)")
            let named = try await service.send(
                .put, "/v1/store-products/app-store/com.example.coins/com.example.coins.9", as: Token.finance(),
                headers: [("Content-Type", "application/json")], body: #"{"product": "coins_100"}"#)
            #expect(named.status == 200, "\(named)")
            try await eventually("the stored receipt is credited") {
                try await house.books.makeReceiptsDue()
                return try await house.books.receipts("credited") == 1
            }
            #expect(try await service.coins() == 100)
            let left = try await service.get("/v1/findings", as: Token.finance())
            #expect(left.json["findings"].elements.isEmpty, "\(left)")
            try await house.settled()
            try await house.expectSound()
        }
    }

    @Test func `what Apple takes back is voided as far as it is left, and never owed; what it gives again comes back`()
        async throws
    {
        try await Self.open { house, store, service in
            let free = try await store.buy(Self.code + #", "quantity": 3"#)
            #expect(try await Self.present(free, to: service).status == 201)
            try await Self.spend(30, service)
            try await store.change(free, #""act": "refund", "percentage": 33333"#)
            try await eventually("a piece is voided") { try await service.coins() == 170 }
            try await store.change(free, #""act": "refund""#)
            try await eventually("what is left is voided") { try await service.coins() == 0 }
            let balance = try await service.get("/v1/me/balance", as: Token.user("ann"))
            #expect(balance.json["debt"] == 0, "\(balance)")
            try await store.change(free, #""act": "reverse_refund""#)
            try await eventually("it comes back") { try await service.coins() == 270 }
            try await store.change(free, #""act": "refund""#)
            try await eventually("and is voided again") { try await service.coins() == 0 }

            // All notifications come once more.
            let sent = try await store.send(.get, "/sandbox/apple/notifications").json["notifications"].elements
            for notification in sent {
                let number = try #require(notification["number"].integer)
                #expect(try await store.send(.post, "/sandbox/apple/notifications/\(number)/send").status == 202)
            }
            try await house.settled()
            #expect(try await service.coins() == 0)
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry WHERE kind = 'claw_back'") == 0)
            let findings = try await service.get("/v1/findings", as: Token.finance())
            #expect(findings.json["findings"].elements.isEmpty, "\(findings)")
            // It stays what it was to the app, which may finish it.
            #expect(try await Self.present(free, to: service).status == 200)
            try await house.expectSound()
        }
    }

    @Test func `what was taken back before anybody presents it is refused`() async throws {
        try await House.openStore { house, store, service in
            let free = try await store.buy(Self.code)
            try await store.change(free, #""act": "refund", "notify": false"#)
            #expect(try await Self.present(free, to: service).code == "payment_cancelled")
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry") == 0)
            try await house.expectSound()
        }
    }

    @Test func `the store is told after the grant, also when it could not be told at first`() async throws {
        try await House.openStore(["LEDGERD_APP_STORE_FINISH": "true"]) { house, store, service in
            let path = "/apple/*/inApps/v1/transactions/*/finish"
            func fail(_ times: Int) async throws {
                let fault = #"{"path": "\#(path)", "times": \#(times), "kind": "reset"}"#
                #expect(try await store.send(.put, "/sandbox/faults", fault).status == 200)
            }
            try await fail(1_000_000)
            let free = try await store.buy(Self.code)
            #expect(try await Self.present(free, to: service).status == 201)
            func decided() async throws -> [String] {
                try await house.books.texts(
                    "SELECT reason FROM webhook_event WHERE type = 'ledgerd.free_given' AND status <> 'waiting'")
            }
            #expect(try await decided().isEmpty)
            try await fail(0)
            try await eventually("Apple is told") {
                try await house.books.makeAllDue()
                return try await decided() == ["finished"]
            }
            try await house.expectSound()
        }
    }

    @Test func `a process that ended right after the grant leaves to the next review that the store is told`()
        async throws
    {
        try await Self.open(["LEDGERD_APP_STORE_FINISH": "true"]) { house, store, service in
            let free = try await store.buy(Self.code)
            #expect(try await Self.present(free, to: service).status == 201)
            try await house.settled()
            let finished = """
                SELECT count(*) FROM webhook_event WHERE type = 'ledgerd.free_given' AND reason = 'finished'
                """
            #expect(try await house.books.count(finished) == 1)
            // As if it had not been stored.
            try await house.books.execute(
                "UPDATE webhook_event SET event_id = 'lost', type = 'lost' WHERE type = 'ledgerd.free_given'")
            try await store.change(free, #""act": "announce", "type": "ONE_TIME_CHARGE""#)
            try await eventually("Apple is told") { try await house.books.count(finished) == 1 }
            try await house.settled()
            #expect(try await service.coins() == 100)
            try await house.expectSound()
        }
    }

    @Test func `Apple's question about it is answered with the user's consent, from what was used`() async throws {
        try await Self.open { house, store, service in
            let free = try await store.buy(Self.code)
            #expect(try await Self.present(free, to: service).status == 201)
            try await Self.spend(30, service)
            func told() async throws -> [JSON] {
                try await store.send(.get, "/sandbox/apple/purchases/\(free.id)").json["consumption"].elements
            }
            try await store.change(free, #""act": "ask_consumption""#)
            try await eventually("the question waits for the consent") {
                try await house.books.count("SELECT count(*) FROM webhook_event WHERE reason = 'no_consent'") == 1
            }
            #expect(try await told().isEmpty)
            let consent = try await service.send(
                .put, "/v1/users/ann/store-consent", as: Token.service(),
                headers: [("Content-Type", "application/json")], body: #"{"consents": true}"#)
            #expect(consent.status == 200, "\(consent)")
            try await eventually("it is answered") {
                try await house.books.makeAllDue()
                return try await told().count == 1
            }
            let answers = try await told()
            let answer = "\(answers)"
            for part in ["GRANT_PRORATED", "30000", "DELIVERED"] { #expect(answer.contains(part), "\(answer)") }
            try await house.settled()
            try await house.expectSound()
        }
    }
}
