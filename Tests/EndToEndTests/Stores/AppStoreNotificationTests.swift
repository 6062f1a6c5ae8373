import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Notifications of the App Store, which lead to the transaction as it is now.
@Suite(.timeLimit(.minutes(20))) struct AppStoreNotificationTests {
    /// Lends a house whose store tells the service what it does.
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

    private static func token(of user: String, _ service: Service) async throws -> String {
        try #require(
            try await service.get("/v1/me/store-account", as: Token.user(user)).json["app_account_token"].text)
    }

    @Test func `a purchase is credited to the user of its token, and what is refunded is clawed back in parts`()
        async throws
    {
        try await Self.open { house, store, service in
            let token = try await Self.token(of: "ann", service)
            let bought = try await store.buy(
                product: "com.example.coins.100", notify: true,
                #", "quantity": 3, "price": 3600000, "app_account_token": "\#(token)""#)
            try await eventually("the purchase is credited, though the app presents nothing") {
                try await service.coins() == 300
            }
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 200)

            // Each refund tells the total; Apple tells of one twice, and of the earlier one after the later one.
            let plan = #"[{"act": "hold", "type": "REFUND"}, {"act": "hold", "type": "REFUND"}]"#
            #expect(try await store.send(.put, "/sandbox/apple/notifications/plan", plan).status == 200)
            try await store.change(bought, #""act": "refund", "percentage": 33333"#)
            try await store.change(bought, #""act": "refund", "percentage": 66667"#)
            #expect(
                try await store.send(.post, "/sandbox/apple/notifications/release", #"{"order": "reversed"}"#).status
                    == 200)
            try await eventually("two of three pieces are taken back") { try await service.coins() == 100 }
            func purchase() async throws -> JSON {
                try await service.get("/v1/me/purchases", as: Token.user("ann")).json["purchases"].elements[0]
            }
            #expect(try await purchase()["refunded_amount"] == 2400)

            try await store.change(bought, #""act": "refund""#)
            try await eventually("all is taken back") { try await service.coins() == 0 }
            #expect(try await purchase()["status"] == "refunded")

            // What was taken back stays so until an act that gives it back.
            try await store.change(bought, #""act": "reverse_refund""#)
            try await eventually("the reversal has arrived") {
                try await house.books.count("SELECT count(*) FROM webhook_event WHERE type = 'REFUND_REVERSED'") == 1
            }
            try await house.settled()
            #expect(try await service.coins() == 0)
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            try await house.expectSound()
        }
    }

    @Test func `a purchase of which a part was refunded first is credited without the part`() async throws {
        try await Self.open { house, store, service in
            let bought = try await store.buy(#", "quantity": 3, "price": 3600000"#)
            try await store.change(bought, #""act": "refund", "percentage": 33333, "notify": false"#)
            let credited = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            #expect(credited.status == 201 && credited.json["purchase"]["coins"] == 300, "\(credited)")
            #expect(credited.json["purchase"]["refunded_amount"] == 1200, "\(credited)")
            #expect(credited.json["balance"]["paid"] == 200, "no moment in which all could be spent: \(credited)")
            let again = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            #expect(again.status == 200 && again.json["balance"]["paid"] == 200, "\(again)")

            // Apple tells of the same refund, and then of a larger one.
            try await store.change(bought, #""act": "refund", "percentage": 33333"#)
            try await eventually("the notification has arrived") {
                try await house.books.count("SELECT count(*) FROM webhook_event WHERE type = 'REFUND'") == 1
            }
            try await house.settled()
            #expect(try await service.coins() == 200)
            try await store.change(bought, #""act": "refund", "percentage": 66667"#)
            try await eventually("another piece is taken back") { try await service.coins() == 100 }
            let findings = try await service.get("/v1/findings", as: Token.finance())
            #expect(findings.json["findings"].elements.isEmpty, "\(findings)")
            try await house.expectSound()
        }
    }

    @Test func `a user who can't be forgotten because a store is off is told so`() async throws {
        let settings = ForgettingServiceTests.settings
        try await Self.open(settings) { house, store, service in
            let bought = try await store.buy()
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 100}"#, key: "all").status == 201)
            try await service.end()
            try await house.books.execute(
                """
                INSERT INTO webhook_event (gateway, event_id, type, imp_uid, merchant_uid, status, reason)
                SELECT gateway, 'refund-1', 'REFUND', imp_uid, merchant_uid, 'waiting', 'received' FROM purchase
                """)
            let other = try await house.serve(at: try await house.startGateway(), settings)
            try await eventually("the store can't be asked") {
                try await other.askToForget("ann")["open"].elements.map(\.text) == ["gateway_off"]
            }
            try await house.expectSound()
        }
    }

    @Test func `a purchase without a token is a finding until its buyer presents it`() async throws {
        try await Self.open { house, store, service in
            let bought = try await store.buy(product: "com.example.coins.100", notify: true)
            func kinds() async throws -> [String?] {
                try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
                    .map { $0["kind"].text }
            }
            try await eventually("nobody has claimed it") { try await kinds() == ["paid_unclaimed"] }
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            #expect(try await kinds().isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `what the App Store did not sign for this app is refused, and what is about no purchase is kept`()
        async throws
    {
        try await Self.open { house, store, service in
            func deliver(_ payload: String, _ signing: String? = nil) async throws -> Answer {
                let defect = signing.map { #", "signing": "\#($0)""# } ?? ""
                let signed = try await store.send(.post, "/sandbox/apple/jws", #"{"payload": \#(payload)\#(defect)}"#)
                let jws = try #require(signed.json["jws"].text)
                return try await service.post("/webhooks/app-store", #"{"signedPayload": "\#(jws)"}"#)
            }
            func payload(_ bundleID: String, _ environment: String = "Production") -> String {
                """
                {"notificationType": "TEST", "notificationUUID": "\(UUID().uuidString)", "version": "2.0",
                 "signedDate": \(Int(Date().timeIntervalSince1970) * 1000),
                 "data": {"bundleId": "\(bundleID)", "appAppleId": 1234567890, "environment": "\(environment)"}}
                """
            }
            let test = payload("com.example.coins")
            let first = try await deliver(test)
            #expect(first.status == 200 && first.json["status"] == "stored", "\(first)")
            #expect(try await deliver(test).json["status"] == "known")
            for signing in ["tampered", "other_root", "no_leaf_oid"] {
                let forged = try await deliver(payload("com.example.coins"), signing)
                #expect(forged.status == 401 && forged.code == "signature_invalid", "\(signing): \(forged)")
            }
            for other in [payload("com.example.other"), payload("com.example.coins", "Sandbox")] {
                let refused = try await deliver(other)
                #expect(refused.status == 401 && refused.code == "signature_invalid", "\(other): \(refused)")
            }
            for body in ["{}", "[]", #"{"signedPayload": "x"}"#] {
                let refused = try await service.post("/webhooks/app-store", body)
                #expect(refused.status == 400 && refused.code == "invalid_request", "\(body): \(refused)")
            }
            try await house.settled()
            try await house.expectSound()
        }
    }
}
