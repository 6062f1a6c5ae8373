import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Purchases in a store in another currency than won, from the device to the books and back.
@Suite(.timeLimit(.minutes(20))) struct ForeignStoreTests {
    @Test func `a purchase that is worth no won at its final rate is a finding, and a claim of it is refused`()
        async throws
    {
        try await House.openStore { house, store, service in
            try await service.publish("0.0001")
            let bought = try await store.buy(#", "currency": "USD", "price": 990, "storefront": "USA""#)
            let waiting = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            #expect(waiting.status == 202 && waiting.code == "worth_out_of_range", "\(waiting)")
            let found = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
            let finding = try #require(found.first?["id"].integer, "\(found)")
            let claim = try await service.post(
                "/v1/findings/\(finding)/claim", #"{"user": "ann", "reason": "she paid", "new_user": true}"#,
                as: Token.finance())
            #expect(claim.status == 409 && claim.code == "worth_out_of_range", "\(claim)")
            #expect(try await service.coins() == 0)
            try await house.expectSound()
        }
    }

    @Test func `a purchase in dollars waits for a rate, is credited with both amounts, and is taken back in dollars`()
        async throws
    {
        try await House.openStore { house, store, service in
            let url = "http://127.0.0.1:\(service.port)/webhooks/app-store"
            let told = try await store.send(
                .put, "/sandbox/apple/app", #"{"notification_url": "\#(url)", "sandbox_notification_url": "\#(url)"}"#)
            #expect(told.status == 200, "\(told)")
            let bought = try await store.buy(#", "quantity": 3, "currency": "USD", "price": 2970, "storefront": "USA""#)
            func present() async throws -> Answer {
                try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            }
            let waiting = try await present()
            #expect(waiting.status == 202 && waiting.code == "price_not_bookable", "\(waiting)")
            func findings() async throws -> Int {
                try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements.count
            }
            #expect(try await findings() == 1)
            try await service.publish("951.2", of: "JPY")
            #expect(try await present().status == 202, "the rate is of another currency")

            try await service.publish("1387.40")
            try await eventually("it is credited, though the app presents nothing") { try await service.coins() == 300 }
            let credited = try await present()
            #expect(credited.status == 200, "\(credited)")
            let purchase = credited.json["purchase"]
            #expect(purchase["amount"] == 4121 && purchase["currency"] == "KRW", "\(credited)")
            let foreign = purchase["foreign"]
            #expect(foreign["amount"] == 297 && foreign["currency"] == "USD", "\(credited)")
            #expect(foreign["refunded_amount"] == 0, "\(credited)")
            #expect(try await service.coins() == 300)
            #expect(try await findings() == 0)
            let id = try #require(purchase["id"].integer)
            let transfer = try await service.post(
                "/v1/purchases/\(id)/refunds", #"{"reason": "she asked", "method": "bank_transfer"}"#, key: "t",
                as: Token.refunds())
            #expect(transfer.status == 409 && transfer.code == "refund_in_foreign_currency", "\(transfer)")

            try await store.change(bought, #""act": "refund", "percentage": 33333"#)
            try await eventually("a piece is taken back") { try await service.coins() == 200 }
            func shown() async throws -> JSON {
                try await service.get("/v1/me/purchases", as: Token.user("ann")).json["purchases"].elements[0]
            }
            #expect(try await shown()["refunded_amount"] == 1373)
            #expect(try await shown()["foreign"]["refunded_amount"] == 99)
            try await store.change(bought, #""act": "refund""#)
            try await eventually("all is taken back") { try await service.coins() == 0 }
            #expect(try await shown()["status"] == "refunded")
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            try await house.expectSound()
        }
    }

    @Test func `of an order of Google Play in dollars, Google takes back a piece, and we refund the rest in dollars`()
        async throws
    {
        try await House.openGooglePlay { house, store, service in
            try await store.tell(service)
            try await service.publish("1387.40")
            let bought = try await store.buy(#", "quantity": 3, "currency": "USD", "price": 2.97, "region": "US""#)
            let credited = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            #expect(credited.status == 201 && credited.json["purchase"]["amount"] == 4121, "\(credited)")
            let id = try #require(credited.json["purchase"]["id"].integer)
            func shown() async throws -> JSON {
                try await service.get("/v1/me/purchases", as: Token.user("ann")).json["purchases"].elements[0]
            }
            try await store.change(bought, #""act": "refund", "quantity": 1"#)
            try await eventually("a piece is taken back") { try await service.coins() == 200 }
            #expect(try await shown()["foreign"]["refunded_amount"] == 99)

            let part = try await service.refund(id, #", "coins": 100"#, key: "part")
            #expect(part.status == 422 && part.json["reason"] == "part_refused", "\(part)")
            let rest = try await service.refund(id, key: "rest")
            #expect(rest.status == 201 && rest.json["refund"]["status"] == "completed", "\(rest)")
            let refund = rest.json["refund"]
            #expect(refund["foreign"]["amount"] == 198 && refund["foreign"]["currency"] == "USD", "\(rest)")
            #expect(refund["amount"] == 2748 && rest.json["balance"]["total"] == 0, "\(rest)")
            try await house.settled()
            #expect(try await shown()["status"] == "refunded")
            #expect(try await shown()["foreign"]["refunded_amount"] == 297)
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            #expect(
                try await store.send(.get, "/sandbox/google/purchases/\(bought.token)").json["order"]["state"]
                    == "REFUNDED")
            try await house.expectSound()
        }
    }
}
