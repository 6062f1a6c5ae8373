import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Promotions and rewards of Google Play, which cost nothing: bonus coins, consumed, and voided when Google takes them back.
@Suite(.timeLimit(.minutes(20))) struct GooglePlayFreePurchaseTests {
    private static func present(
        _ bought: GooglePlaySandbox.Bought, to service: Service, by user: String = "ann"
    ) async throws -> Answer {
        try await service.post("/v1/receipts", bought.receipt, as: Token.user(user))
    }

    @Test(arguments: ["promo", "rewarded"])
    func `with and without an order it gives bonus coins once, and is consumed after that`(kind: String) async throws {
        try await House.openGooglePlay { house, store, service in
            let ordered = try await store.buy(#", "type": "\#(kind)""#)
            let orderless = try await store.buy(#", "type": "\#(kind)", "without_order": true"#)
            for free in [ordered, orderless] {
                let given = try await Self.present(free, to: service)
                #expect(given.status == 201 && given.json["free"]["coins"] == 100, "\(given)")
                let again = try await Self.present(free, to: service)
                #expect(again.status == 200 && again.json["free"] == given.json["free"], "\(again)")
                let stolen = try await Self.present(free, to: service, by: "eve")
                #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")
                try await eventually("Google is told") { try await store.isConsumed(free) }
            }
            #expect(try await service.coins() == 200)
            #expect(try await house.books.count("SELECT count(*) FROM purchase") == 0)
            let order = try #require(ordered.order)
            for name in [order, ordered.token, orderless.token] {
                let found = try await service.get("/v1/search?name=\(name)", as: Token.support())
                #expect(found.json["matches"].elements.first?["user"] == "ann", "\(name): \(found)")
            }
            try await house.settled()
            try await house.expectSound()
        }
    }

    @Test func `pieces that Google takes back are voided, and then the rest as far as it is left`() async throws {
        try await House.openGooglePlay { house, store, service in
            try await store.tell(service)
            let free = try await store.buy(#", "type": "promo", "quantity": 3"#)
            #expect(try await Self.present(free, to: service).json["free"]["coins"] == 300)
            try await eventually("Google is told") { try await store.isConsumed(free) }
            try await store.change(free, #""act": "refund", "quantity": 1"#)
            try await eventually("a piece is voided") { try await service.coins() == 200 }
            let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 50}"#, key: "spend-50")
            #expect(spent.status == 201, "\(spent)")
            try await store.change(free, #""act": "refund""#)
            try await eventually("the rest is voided") { try await service.coins() == 0 }
            let balance = try await service.get("/v1/me/balance", as: Token.user("ann"))
            #expect(balance.json["debt"] == 0, "\(balance)")
            try await house.settled()
            try await house.expectSound()
        }
    }
}
