import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Messages of Google Play, which lead to the purchase as it is now.
@Suite(.timeLimit(.minutes(20))) struct GooglePlayMessageTests {
    @Test func `a purchase is credited to the user of its token, and what is taken back is clawed back in parts`()
        async throws
    {
        try await House.openGooglePlay { house, store, service in
            try await store.tell(service)
            let account = try await service.get("/v1/me/store-account", as: Token.user("ann"))
            let id = try #require(account.json["obfuscated_account_id"].text)
            let bought = try await store.buy(
                product: "com.example.coins.100", notify: true,
                #", "quantity": 3, "price": 3600, "account_id": "\#(id)""#)
            try await eventually("the purchase is credited, though the app presents nothing") {
                try await service.coins() == 300
            }
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 200)
            try await eventually("it is consumed") { try await store.isConsumed(bought) }

            // Google tells of the second piece before the first, and of one twice.
            let plan = #"[{"act": "hold", "type": "voidedPurchaseNotification", "times": 2}]"#
            #expect(try await store.send(.put, "/sandbox/google/messages/plan", plan).status == 200)
            try await store.change(bought, #""act": "refund", "quantity": 1"#)
            try await store.change(bought, #""act": "refund", "quantity": 1"#)
            let released = #"{"order": "reversed"}"#
            #expect(try await store.send(.post, "/sandbox/google/messages/release", released).status == 200)
            try await eventually("two of three pieces are taken back") { try await service.coins() == 100 }
            func purchase() async throws -> JSON {
                try await service.get("/v1/me/purchases", as: Token.user("ann")).json["purchases"].elements[0]
            }
            #expect(try await purchase()["refunded_amount"] == 2400)

            let twice = #"[{"act": "duplicate", "type": "voidedPurchaseNotification"}]"#
            #expect(try await store.send(.put, "/sandbox/google/messages/plan", twice).status == 200)
            try await store.change(bought, #""act": "refund""#)
            try await eventually("all is taken back") { try await service.coins() == 0 }
            try await house.settled()
            #expect(try await purchase()["status"] == "refunded")
            #expect(try await purchase()["refunded_amount"] == 3600)
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            try await house.expectSound()
        }
    }

    @Test func `of what Google tells, only the products that are coins are findings while nobody presents them`()
        async throws
    {
        try await House.openGooglePlay { house, store, service in
            try await store.tell(service)
            let account = try await service.get("/v1/me/store-account", as: Token.user("ann"))
            let id = try #require(account.json["obfuscated_account_id"].text)
            _ = try await store.buy(product: "com.example.gym", notify: true, #", "account_id": "\#(id)""#)
            let coins = try await store.buy(product: "com.example.coins.100", notify: true)
            try await eventually("both messages are processed") {
                try await house.books.count("SELECT count(*) FROM webhook_event WHERE status = 'done'") == 2
            }
            let findings = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
            #expect(findings.map { $0["kind"].text } == ["paid_unclaimed"], "\(findings)")
            #expect(findings.map { $0["imp_uid"].text } == [coins.token], "\(findings)")
            try await house.expectSound()
        }
    }

    @Test func `each bad token is refused, and a message of Google's is taken whatever it tells`() async throws {
        try await House.openGooglePlay { house, store, service in
            try await store.tell(service)
            /// Publishes, and returns what the service answered first.
            func status(_ members: String) async throws -> Int64? {
                let sent = try await store.send(.post, "/sandbox/google/messages", "{\(members)}")
                let number = try #require(sent.json["number"].integer, "\(sent)")
                var found: Int64?
                try await eventually("message \(number) was pushed") {
                    let list = try await store.send(.get, "/sandbox/google/messages?after=\(number - 1)")
                    found = list.json["messages"].elements.first?["attempts"].elements.first?["status"].integer
                    return found != nil
                }
                return found
            }
            let defects = [
                "missing", "other_audience", "other_issuer", "other_email", "unverified_email", "unknown_key",
                "other_key",
                "expired", "tampered", "hs256", "unsigned",
            ]
            for defect in defects { #expect(try await status(#""token": "\#(defect)""#) == 401, "\(defect)") }
            func notification(_ members: String, of app: String = "com.example.coins") -> String {
                let text = #"{\"version\": \"1.0\", \"packageName\": \"\#(app)\", \#(members)}"#
                return #""data": "\#(text)""#
            }
            let test = #"\"testNotification\": {\"version\": \"1.0\"}"#
            #expect(try await status(notification(test, of: "com.example.other")) == 401)
            #expect(try await status(#""data": "no JSON""#) == 400)
            #expect(try await house.books.count("SELECT count(*) FROM webhook_event") == 0)

            // Acknowledged, or Pub/Sub would send it for days.
            #expect(try await status(notification(test)) == 200)
            #expect(try await status(notification(#"\"futureNotification\": {\"kind\": 7}"#)) == 200)
            let renewed = #"\"subscriptionNotification\": {\"notificationType\": 2, \"purchaseToken\": \"t\"}"#
            #expect(try await status(notification(renewed)) == 200)
            try await house.settled()
            let types = "SELECT type FROM webhook_event WHERE status = 'ignored' ORDER BY type"
            #expect(try await house.books.texts(types) == ["futureNotification", "subscription.2", "test"])
            try await house.expectSound()
        }
    }

    @Test func `without a push subscription nobody's message is taken`() async throws {
        let off = [
            "LEDGERD_GOOGLE_PLAY_PUSH_SUBSCRIPTION": "", "LEDGERD_GOOGLE_PLAY_PUSH_AUDIENCE": "",
            "LEDGERD_GOOGLE_PLAY_PUSH_SENDER": "",
        ]
        try await House.openGooglePlay(off) { house, _, service in
            #expect(try await service.post("/webhooks/google-play", "{}").status == 404)
            try await house.expectSound()
        }
    }
}
