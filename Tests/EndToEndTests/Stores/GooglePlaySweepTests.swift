import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// What Google Play gave back without that anybody told of it.
@Suite(.timeLimit(.minutes(20))) struct GooglePlaySweepTests {
    /// A service that sweeps once, at its start: what was paid one to three days ago is looked at.
    private static let sweeping = ["LEDGERD_SWEEP_INTERVAL": "24h"]

    private static func credit(
        _ bought: GooglePlaySandbox.Bought, _ service: Service, by user: String = "ann"
    ) async throws {
        let credited = try await service.post("/v1/receipts", bought.receipt, as: Token.user(user))
        #expect(credited.status == 201, "\(credited)")
    }

    @Test func `what was taken back, whole or in part, is found in Google's list`() async throws {
        try await House.openGooglePlay { house, store, service in
            let whole = try await store.buy()
            let parted = try await store.buy(#", "quantity": 3, "price": 3600"#)
            let gone = try await store.buy()
            try await Self.credit(whole, service)
            try await Self.credit(parted, service, by: "bob")
            try await Self.credit(gone, service, by: "cid")
            try await store.change(whole, #""act": "refund""#)
            try await store.change(parted, #""act": "refund", "quantity": 1"#)
            // Google knows its token no longer.
            try await store.change(gone, #""act": "refund""#)
            try await store.change(gone, #""act": "forget""#)
            try await house.settled()
            #expect(try await service.coins() == 100, "nobody was told")

            for _ in 1...2 {
                let sweeper = try await house.serve(store.settings.merging(Self.sweeping) { $1 })
                try await eventually("all are clawed back") {
                    let coins = try await (service.coins(), service.coins(of: "bob"), service.coins(of: "cid"))
                    return coins == (0, 200, 0)
                }
                try await house.settled()
                try await sweeper.end()
            }
            let reviews = "SELECT count(*) FROM webhook_event WHERE type = 'ledgerd.taken_back'"
            #expect(try await house.books.count(reviews) == 3, "each act is reviewed once")
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 2400, "\(owed)")
            try await house.expectSound()
        }
    }

    @Test func `money that was given back while the buyer keeps the purchase is found by its order`() async throws {
        try await House.openGooglePlay { house, store, service in
            // Amid those that the first sweep looks at.
            let paidAt = Int(Date().timeIntervalSince1970) - 36 * 3600
            let whole = try await store.buy(#", "purchased_at": \#(paidAt)"#)
            let parted = try await store.buy(#", "purchased_at": \#(paidAt)"#)
            let kept = try await store.buy(#", "purchased_at": \#(paidAt)"#)
            try await Self.credit(whole, service)
            try await Self.credit(parted, service, by: "bob")
            try await Self.credit(kept, service, by: "cid")
            try await store.change(whole, #""act": "refund", "revoke": false"#)
            try await store.change(parted, #""act": "refund", "amount": 600"#)

            let sweeper = try await house.serve(store.settings.merging(Self.sweeping) { $1 })
            try await eventually("both are clawed back") {
                try await (service.coins(), service.coins(of: "bob")) == (0, 50)
            }
            try await house.settled()
            #expect(try await sweeper.coins(of: "cid") == 100)
            let reviews = "SELECT count(*) FROM webhook_event WHERE type = 'ledgerd.refunded'"
            #expect(try await house.books.count(reviews) == 2)
            try await house.expectSound()
        }
    }
}
