import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// What is in a store and not in the books, and the other way round, as far as stores can be asked.
@Suite(.timeLimit(.minutes(20))) struct StoreReconciliationTests {
    /// No other gateway, which would have to answer.
    private static let alone = ["LEDGERD_PORTONE_V1_KEY": "", "LEDGERD_PORTONE_V1_SECRET": ""]

    /// Compares the days around now, and answers what became of each payment, as `kind outcome`.
    private static func reconcile(_ service: Service, heals: Bool) async throws -> [String: String] {
        let (from, to) = (Date() - 86_400, Date() + 86_400)
        let period = #""from": "\#(from.formatted(.iso8601))", "to": "\#(to.formatted(.iso8601))""#
        let started = try await service.post(
            "/v1/reconciliations", #"{\#(period), "heal": \#(heals)}"#, as: Token.finance())
        #expect(started.status == 202, "\(started)")
        let path = started.headers["Location"] ?? ""
        try await eventually("the run is completed") {
            try await service.get(path, as: Token.finance()).json["status"] == "completed"
        }
        let items = try await service.get(path + "/items?limit=100", as: Token.finance()).json["items"].elements
        return Dictionary(
            uniqueKeysWithValues: items.map {
                ($0["imp_uid"].text ?? "", ($0["kind"].text ?? "") + ($0["outcome"].text.map { " \($0)" } ?? ""))
            })
    }

    @Test func `what Apple could not tell is found by a reconciliation in its history, and settled`() async throws {
        try await House.openStore(Self.alone) { house, store, service in
            // Nothing arrives there; the history has it.
            let url = "http://127.0.0.1:\(service.port)/webhooks/app-store"
            _ = try await store.send(.put, "/sandbox/apple/app", #"{"notification_url": "\#(url)"}"#)
            let lost = #"{"act": "drop", "times": 1000}"#
            #expect(try await store.send(.put, "/sandbox/apple/notifications/plan", lost).status == 200)
            let account = try await service.get("/v1/me/store-account", as: Token.user("ann"))
            let named = #", "app_account_token": "\#(try #require(account.json["app_account_token"].text))""#
            func buy(_ members: String = "") async throws -> AppStoreSandbox.Bought {
                try await store.buy(product: "com.example.coins.100", notify: true, members)
            }
            let agreed = try await buy()
            let refunded = try await buy()
            for bought in [agreed, refunded] {
                #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            }
            // What was free has nothing to compare, given or not.
            let free = try await buy(#", "offer_code": "SPRING""#)
            #expect(try await service.post("/v1/receipts", free.receipt, as: Token.user("bob")).status == 201)
            let unseenFree = try await buy(#", "offer_code": "SPRING""#)
            try await store.change(refunded, #""act": "refund""#)
            let unseen = try await buy(named)
            let nobodys = try await buy()
            let back = try await buy()
            try await store.change(back, #""act": "refund""#)
            // Not one of coins.
            _ = try await buy(#", "type": "Non-Consumable""#)
            // Nobody has said what it is of ours, and nobody presented it.
            _ = try await store.buy(product: "com.example.lives.5", notify: true)

            #expect(
                try await Self.reconcile(service, heals: false) == [
                    agreed.id: "matched", refunded.id: "cancelled_not_clawed_back", unseen.id: "paid_not_credited",
                    nobodys.id: "paid_not_credited", back.id: "matched", free.id: "matched", unseenFree.id: "matched",
                ])
            #expect(try await service.coins() == 200)
            #expect(
                try await Self.reconcile(service, heals: true) == [
                    agreed.id: "matched", refunded.id: "cancelled_not_clawed_back clawed_back",
                    unseen.id: "paid_not_credited credited", nobodys.id: "paid_not_credited needs_person",
                    back.id: "matched", free.id: "matched", unseenFree.id: "matched",
                ])
            #expect(try await service.coins() == 200, "one was refunded, and one credited")
            #expect(try await Self.reconcile(service, heals: false)[refunded.id] == "matched")
            try await house.settled()
            try await house.expectSound()
        }
    }

    @Test func `what Google gave back is found by its list and by orders, and agreeing orders are asked for together`()
        async throws
    {
        try await House.openGooglePlay(Self.alone) { house, store, service in
            func credited(_ members: String = "") async throws -> GooglePlaySandbox.Bought {
                let bought = try await store.buy(members)
                #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
                return bought
            }
            func asked() async throws -> (purchases: Int, orders: Int) {
                let all = try await store.send(.get, "/sandbox/journal").json["requests"].elements
                let paths = all.compactMap { $0["path"].text }
                return (
                    paths.count { $0.contains("/productsv2/") }, paths.count { $0.hasSuffix("/orders:batchGet") }
                )
            }
            let agreed = [try await credited(), try await credited(#", "quantity": 2, "price": 2400"#)]
            // Google forgets tokens; its orders stay.
            let forgotten = try await credited()
            try await house.settled()
            try await store.change(forgotten, #""act": "forget""#)
            let before = try await asked()
            let expected = Dictionary(
                uniqueKeysWithValues: (agreed + [forgotten]).map { ($0.token, "matched") })
            #expect(try await Self.reconcile(service, heals: false) == expected)
            let after = try await asked()
            #expect(after.purchases == before.purchases && after.orders == before.orders + 1)

            let taken = try await credited()
            let kept = try await credited()
            let gone = try await credited()
            let unknown = try await credited()
            let late = try await credited(#", "refund_delay": 400000000"#)
            try await house.settled()
            try await store.change(taken, #""act": "refund", "notify": false"#)
            // The buyer keeps it, so that no list has it.
            try await store.change(kept, #""act": "refund", "revoke": false"#)
            try await store.change(gone, #""act": "refund", "notify": false"#)
            try await store.change(gone, #""act": "forget""#)
            try await store.change(unknown, #""act": "refund", "notify": false"#)
            try await store.change(unknown, #""act": "forget", "unknown": true"#)
            // Its order does not show the refund yet.
            try await store.change(late, #""act": "refund", "notify": false"#)
            try await store.change(late, #""act": "forget""#)
            // Its order alone tells that it was refunded, and a review could not read it.
            let lost = try await credited()
            try await house.settled()
            try await store.change(lost, #""act": "refund", "revoke": false"#)
            try await store.change(lost, #""act": "forget""#)
            // Nobody presented it, and Google lists no sales.
            _ = try await store.buy()
            let found = [taken, kept, gone, unknown].map(\.token)
            var wanted = expected
            wanted[late.token] = "waiting"
            wanted[lost.token] = "credited_not_paid"
            for token in found { wanted[token] = "cancelled_not_clawed_back" }
            #expect(try await Self.reconcile(service, heals: false) == wanted)
            wanted[lost.token] = "credited_not_paid needs_person"
            for token in found { wanted[token] = "cancelled_not_clawed_back clawed_back" }
            #expect(try await Self.reconcile(service, heals: true) == wanted)
            #expect(try await service.coins() == 600)
            wanted[lost.token] = "credited_not_paid"
            for token in found { wanted[token] = "matched" }
            #expect(try await Self.reconcile(service, heals: false) == wanted)
            try await house.settled()
            try await house.expectSound()
        }
    }
}
