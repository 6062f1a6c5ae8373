import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The App Store is told that a purchase is delivered: after the commit, whatever happens, and only where a setting says so.
@Suite(.timeLimit(.minutes(20))) struct StoreDeliveryTests {
    private static func isFinished(_ bought: AppStoreSandbox.Bought, at store: AppStoreSandbox) async throws -> Bool {
        try await store.send(.get, "/sandbox/apple/purchases/\(bought.id)").json["finished_at"].text != nil
    }

    private static func statuses(_ house: House, _ status: String) async throws -> Int64 {
        try await house.books.count("SELECT count(*) FROM store_delivery WHERE status = '\(status)'")
    }

    @Test func `a credited purchase is finished once, also by another process than the one that credited it`()
        async throws
    {
        let settings = ["LEDGERD_APP_STORE_FINISH": "true"]
        try await House.openStore(settings) { house, store, service in
            let waiting = try await store.buy(product: "com.example.coins.unknown", notify: false)
            #expect(try await service.post("/v1/receipts", waiting.receipt, as: Token.user("ann")).status == 202)

            // The service ends after the commit, before the store has heard of it.
            let fault = #"{"path": "/apple/*/inApps/v1/transactions/*/finish", "times": 1000000, "kind": "reset"}"#
            #expect(try await store.send(.put, "/sandbox/faults", fault).status == 200)
            let bought = try await store.buy()
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            try await eventually("the store was to be told, and could not be") {
                try await house.books.count("SELECT count(*) FROM store_delivery WHERE attempts > 0") == 1
            }
            try await service.end()
            #expect(try await !Self.isFinished(bought, at: store))

            let mended = #"{"path": "/apple/*/inApps/v1/transactions/*/finish", "times": 0, "kind": "reset"}"#
            #expect(try await store.send(.put, "/sandbox/faults", mended).status == 200)
            try await house.books.execute(
                "UPDATE store_delivery SET next_attempt_at = now(), lease_holder = NULL WHERE status = 'waiting'")
            let other = try await house.serve(store.settings.merging(settings) { $1 })
            try await eventually("the other process has told it") { try await Self.statuses(house, "finished") == 1 }
            #expect(try await Self.isFinished(bought, at: store))
            #expect(try await other.coins() == 100)
            #expect(try await !Self.isFinished(waiting, at: store), "what is not credited is not finished")
            #expect(try await house.books.count("SELECT count(*) FROM store_delivery") == 1)
            try await house.expectSound()
        }
    }

    @Test func `a process killed before Apple answered has a successor that tells Apple exactly once more`()
        async throws
    {
        try await House.with { house in
            let store = try await house.startAppStore()
            let settings = store.settings.merging(["LEDGERD_APP_STORE_FINISH": "true"]) { $1 }
            let killed = try await house.serveProcess(at: nil, settings)
            try await killed.sellCoins(at: "app-store")
            // Apple does it, and does not answer.
            let fault = #"{"path": "/apple/*/inApps/v1/transactions/*/finish", "kind": "timeout"}"#
            #expect(try await store.send(.put, "/sandbox/faults", fault).status == 200)
            let bought = try await store.buy()
            #expect(try await killed.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            try await eventually("Apple was told") { try await Self.isFinished(bought, at: store) }
            try await killed.end()
            #expect(try await Self.statuses(house, "waiting") == 1, "no answer is in the books")
            #expect(try await store.received("/finish") == 1)

            let successor = try await house.serve(settings)
            try await eventually("the successor has told it") { try await Self.statuses(house, "finished") == 1 }
            try await house.settled()
            #expect(try await store.received("/finish") == 2)
            #expect(try await successor.coins() == 100)
            try await house.expectSound()
        }
    }

    @Test func `a purchase in Apple's sandbox is finished when it has given its coins`() async throws {
        let settings = ["LEDGERD_APP_STORE_FINISH": "true", "LEDGERD_APP_STORE_SANDBOX": "capped"]
        try await House.openStore(settings) { house, store, service in
            let tried = try await store.buy(#", "environment": "Sandbox""#)
            let given = try await service.post("/v1/receipts", tried.receipt, as: Token.user("ann"))
            #expect(given.status == 201 && given.json["trial"]["coins"] == 100, "\(given)")
            #expect(try await Self.isFinished(tried, at: store))
            #expect(try await house.books.count("SELECT count(*) FROM store_delivery") == 0)
            try await house.expectSound()
        }
    }

    @Test func `without the setting the app finishes`() async throws {
        try await House.openStore { house, store, service in
            let bought = try await store.buy()
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            try await house.settled()
            #expect(try await Self.statuses(house, "left") == 1)
            #expect(try await !Self.isFinished(bought, at: store))
            try await house.expectSound()
        }
    }
}
