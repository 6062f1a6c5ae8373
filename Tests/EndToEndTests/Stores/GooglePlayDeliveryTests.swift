import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Google Play is told that a purchase is delivered: after the commit, whatever happens, before it gives the money back.
@Suite(.timeLimit(.minutes(20))) struct GooglePlayDeliveryTests {
    private static func makeDue(_ house: House) async throws {
        try await house.books.execute(
            "UPDATE store_delivery SET next_attempt_at = now(), lease_holder = NULL WHERE status = 'waiting'")
    }

    private static func attempted(_ house: House) async throws -> Bool {
        try await house.books.count("SELECT count(*) FROM store_delivery WHERE attempts > 0") == 1
    }

    private static func findings(_ service: Service) async throws -> [String?] {
        try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements.map { $0["kind"].text }
    }

    @Test func `a purchase whose process ends between the commit and the consumption is consumed by another one`()
        async throws
    {
        try await House.openGooglePlay { house, store, service in
            try await store.failConsuming(true)
            let bought = try await store.buy()
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            try await eventually("Google was to be told, and could not be") { try await Self.attempted(house) }
            try await service.end()
            #expect(try await !store.isConsumed(bought))

            try await store.failConsuming(false)
            try await Self.makeDue(house)
            let other = try await house.serve(store.settings)
            try await eventually("the other process has told it") { try await store.isConsumed(bought) }
            #expect(try await other.coins() == 100)
            #expect(try await Self.findings(other).isEmpty)
            try await house.expectSound()
        }
    }

    /// Google is asked before it is told, so what it has done is not asked for again.
    @Test(arguments: ["reset", "timeout"])
    func `a process that is killed while it consumes has a successor that consumes what is not yet consumed, once`(
        _ fault: String
    ) async throws {
        try await House.with { house in
            let store = try await house.startGooglePlay()
            let killed = try await house.serveProcess(at: nil, store.settings)
            try await killed.sellCoins(at: "google-play")
            try await store.failConsuming(true, by: fault)
            let bought = try await store.buy()
            #expect(try await killed.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            try await eventually("Google was told") { try await store.received(":consume") > 0 }
            let isDone = fault == "timeout"
            try await eventually("Google has come so far") { try await store.isConsumed(bought) == isDone }
            try await killed.end()
            #expect(try await house.books.count("SELECT count(*) FROM store_delivery WHERE status = 'waiting'") == 1)
            let told = try await store.received(":consume")

            try await store.failConsuming(false)
            try await Self.makeDue(house)
            let successor = try await house.serve(store.settings)
            try await eventually("the successor has finished it") {
                try await house.books.count("SELECT count(*) FROM store_delivery WHERE status = 'finished'") == 1
            }
            try await house.settled()
            #expect(try await store.received(":consume") == told + (isDone ? 0 : 1))
            #expect(try await store.isConsumed(bought))
            #expect(try await successor.coins() == 100)
            #expect(try await Self.findings(successor).isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `on the third day it is a finding that a purchase could not be consumed, until it is`() async throws {
        try await House.openGooglePlay { house, store, service in
            try await store.failConsuming(true)
            let paidAt = Int(Date().timeIntervalSince1970) - 49 * 3600
            let bought = try await store.buy(#", "purchased_at": \#(paidAt)"#)
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            try await eventually("finance is told") {
                try await Self.findings(service) == ["store_purchase_unconsumed"]
            }
            try await store.failConsuming(false)
            try await eventually("it is consumed") {
                try await Self.makeDue(house)
                return try await store.isConsumed(bought)
            }
            try await eventually("the finding has ended") { try await Self.findings(service).isEmpty }
            try await house.expectSound()
        }
    }

    @Test func `what the app consumed itself is told to nobody, and what Google took back is not asked for ever`()
        async throws
    {
        try await House.openGooglePlay { house, store, service in
            try await store.failConsuming(true)
            let consumed = try await store.buy()
            let voided = try await store.buy()
            for bought in [consumed, voided] {
                #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            }
            try await store.change(consumed, #""act": "consume""#)
            try await store.change(voided, #""act": "refund""#)
            try await eventually("both are over, though nothing can be consumed") {
                try await Self.makeDue(house)
                let statuses = "SELECT status FROM store_delivery ORDER BY status"
                return try await house.books.texts(statuses) == ["abandoned", "finished"]
            }
            #expect(try await Self.findings(service).isEmpty)
            try await house.expectSound()
        }
    }
}
