import EndToEndSupport
import TestSupport
import Testing

/// Notifications of the App Store that never arrive are found in its history.
@Suite(.timeLimit(.minutes(20))) struct NotificationHistoryTests {
    @Test func `what Apple could not tell is found by the sweep, once, also after the service was off`() async throws {
        try await House.openStore(["LEDGERD_SWEEP_INTERVAL": "1s"]) { house, store, service in
            let url = "http://127.0.0.1:\(service.port)/webhooks/app-store"
            _ = try await store.send(.put, "/sandbox/apple/app", #"{"notification_url": "\#(url)"}"#)
            let lost = #"{"act": "drop", "times": 1000}"#
            #expect(try await store.send(.put, "/sandbox/apple/notifications/plan", lost).status == 200)
            let account = try await service.get("/v1/me/store-account", as: Token.user("ann"))
            let token = try #require(account.json["app_account_token"].text)
            let bought = try await store.buy(
                product: "com.example.coins.100", notify: true, #", "app_account_token": "\#(token)""#)
            try await eventually("the purchase is found") { try await service.coins() == 100 }
            try await store.change(bought, #""act": "refund""#)
            try await eventually("the refund is found") { try await service.coins() == 0 }
            try await store.change(bought, #""act": "reverse_refund""#)
            try await eventually("that it was taken back is found") { try await service.coins() == 100 }

            try await service.end()
            try await store.change(bought, #""act": "refund""#)
            let next = try await house.serve(
                store.settings.merging(["LEDGERD_SWEEP_INTERVAL": "1d"]) { $1 })
            try await eventually("what happened meanwhile is found at the start") { try await next.coins() == 0 }

            // Apple succeeds after all.
            let sent = try await store.send(.get, "/sandbox/apple/notifications").json["notifications"].elements
            #expect(sent.count == 4)
            for notification in sent {
                let signed = try #require(notification["signed_payload"].text)
                let known = try await next.post("/webhooks/app-store", #"{"signedPayload": "\#(signed)"}"#)
                #expect(known.status == 200 && known.json["status"] == "known", "\(known)")
            }
            try await house.settled()
            #expect(try await next.coins() == 0)
            #expect(try await house.books.count("SELECT count(*) FROM webhook_event") == 4)
            try await house.expectSound()
        }
    }
}
