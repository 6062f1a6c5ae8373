import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Receipts of Google Play, from the device to the books, and back to Google.
@Suite(.timeLimit(.minutes(20))) struct GooglePlayReceiptTests {
    private static func present(
        _ bought: GooglePlaySandbox.Bought, to service: Service, by user: String = "ann"
    ) async throws -> Answer {
        try await service.post("/v1/receipts", bought.receipt, as: Token.user(user))
    }

    @Test func `a purchase is credited once, with the coins of each piece, and is consumed after that`() async throws {
        try await House.openGooglePlay { house, store, service in
            let bought = try await store.buy(#", "quantity": 3, "price": 3300"#)
            let credited = try await Self.present(bought, to: service)
            #expect(credited.status == 201, "\(credited)")
            let purchase = credited.json["purchase"]
            #expect(purchase["gateway"] == "google-play" && purchase["imp_uid"].text == bought.token, "\(credited)")
            #expect(purchase["payment_id"].text == bought.order && bought.order != nil, "\(credited)")
            #expect(purchase["coins"] == 300 && purchase["amount"] == 3300, "\(credited)")
            try await eventually("Google is told") { try await store.isConsumed(bought) }

            let again = try await Self.present(bought, to: service)
            #expect(again.status == 200 && again.json["purchase"] == purchase, "\(again)")
            let stolen = try await Self.present(bought, to: service, by: "eve")
            #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")
            #expect(try await service.coins() == 300)

            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            let accounts = owed.json["accounts"].elements
            #expect(accounts.map { $0["account"].text } == ["gateway:receivable", "google-play:receivable"], "\(owed)")
            #expect(accounts.map { $0["balance"].integer } == [0, 3300], "\(owed)")
            let lots = try await service.get("/v1/me/lots", as: Token.user("ann"))
            #expect(lots.json["lots"].elements.allSatisfy { $0["expires_at"].text == nil }, "\(lots)")
            try await house.expectSound()
        }
    }

    @Test func `a token of the longest form is a purchase like others`() async throws {
        try await House.openGooglePlay { house, store, service in
            let token = String(repeating: "abcdefghij", count: 100) + ".AO-J1O_z"
            let bought = try await store.buy(#", "purchase_token": "\#(token)""#)
            #expect(try await Self.present(bought, to: service).status == 201)
            #expect(try await Self.present(bought, to: service).status == 200)
            try await eventually("Google is told") { try await store.isConsumed(bought) }
            try await house.expectSound()
        }
    }

    @Test func `what is paid in cash waits, is not consumed, and is credited when it is paid`() async throws {
        try await House.openGooglePlay { house, store, service in
            try await store.tell(service)
            let bought = try await store.buy(#", "state": "pending""#)
            let waiting = try await Self.present(bought, to: service)
            #expect(waiting.status == 202 && waiting.code == "awaiting_payment", "\(waiting)")
            let given = try await store.buy(#", "state": "pending""#)
            #expect(try await Self.present(given, to: service).code == "awaiting_payment")
            #expect(try await house.books.count("SELECT count(*) FROM store_delivery") == 0)

            try await store.change(bought, #""act": "pay""#)
            try await eventually("Google has told that it is paid") { try await service.coins() == 100 }
            try await eventually("it is consumed") { try await store.isConsumed(bought) }

            // One that is given up before it is paid is no refund, and nothing was taken.
            try await store.change(given, #""act": "cancel""#)
            try await eventually("Google has told that it is given up") {
                try await house.books.count("SELECT count(*) FROM webhook_event WHERE type = 'one_time.2'") == 1
            }
            try await eventually("its receipt is refused") {
                try await house.books.makeAllDue()
                return try await house.books.count("SELECT count(*) FROM receipt_retry WHERE status = 'refused'") == 1
            }
            #expect(try await service.coins() == 100)
            #expect(try await !store.isConsumed(given))
            try await house.expectSound()
        }
    }

    @Test func `a purchase with a token of a user is that user's, whoever presents it`() async throws {
        try await House.openGooglePlay { house, store, service in
            let account = try await service.get("/v1/me/store-account", as: Token.user("ann"))
            let id = try #require(account.json["obfuscated_account_id"].text)
            let bought = try await store.buy(#", "account_id": "\#(id)""#)
            let stolen = try await Self.present(bought, to: service, by: "eve")
            #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")
            #expect(try await Self.present(bought, to: service).status == 201)

            let unknown = try await store.buy(#", "account_id": "\#(UUID().uuidString.lowercased())""#)
            #expect(try await Self.present(unknown, to: service, by: "bob").status == 201)
            #expect(try await service.coins() == 100)
            #expect(try await service.coins(of: "bob") == 100)
            try await house.expectSound()
        }
    }

    @Test func `what nobody bought here is refused by name, and what can't be booked waits and is not consumed`()
        async throws
    {
        try await House.openGooglePlay { house, store, service in
            func expect(_ status: Int, _ code: String, of receipt: String, _ name: String) async {
                await house.check(name) {
                    let answer = try await service.post("/v1/receipts", receipt, as: Token.user("ann"))
                    #expect(answer.status == status && answer.code == code, "\(name): \(answer)")
                }
            }
            let nobodys = #"{"google_play": {"purchase_token": "nobody.AO-1"}}"#
            await expect(404, "payment_not_found", of: nobodys, "unknown")
            await expect(400, "missing_member", of: #"{"google_play": {}}"#, "no token")
            await expect(400, "invalid_request", of: #"{"google_play": {"purchase_token": "a/b"}}"#, "no token's form")
            let tried = try await store.buy(#", "type": "test""#)
            await expect(422, "test_payment", of: tried.receipt, "a licence tester's")
            let refunded = try await store.buy()
            try await store.change(refunded, #""act": "refund""#)
            await expect(422, "payment_cancelled", of: refunded.receipt, "refunded")

            let dollars = try await store.buy(#", "currency": "USD", "price": 9.9, "region": "US""#)
            await expect(202, "price_not_bookable", of: dollars.receipt, "dollars")
            let other = try await store.buy(product: "com.example.gym", notify: false)
            await expect(202, "unknown_store_product", of: other.receipt, "no product of ours")
            let items = #"{"product_id": "com.example.coins.100"}, {"product_id": "com.example.gym"}"#
            let several = try await store.buy(all: #""notify": false, "items": [\#(items)]"#)
            await expect(202, "unknown_store_product", of: several.receipt, "several products")
            // The money of an order that comes later is not known yet.
            let orderless = try await store.buy(#", "without_order": true"#)
            await expect(202, "gateway_unavailable", of: orderless.receipt, "no order yet")

            // Nobody can say how much to give back.
            let unknown = try await store.buy(#", "currency": "ZZZ", "price": 9.9, "region": "US""#)
            await expect(202, "price_not_bookable", of: unknown.receipt, "an unknown currency")
            let findings = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
            let finding = try #require(findings.first { $0["imp_uid"].text == unknown.token }?["id"].integer)
            let refund = try await service.post(
                "/v1/findings/\(finding)/refund", #"{"reason": "paid in ZZZ"}"#, as: Token.finance())
            #expect(refund.status == 422 && refund.code == "refund_refused", "\(refund)")
            #expect(refund.json["reason"] == "invalid_amount", "\(refund)")

            #expect(try await service.coins() == 0)
            for bought in [dollars, other, several, orderless, unknown] {
                #expect(try await !store.isConsumed(bought))
            }
            try await store.change(orderless, #""act": "give_order""#)
            // The service asks for it by itself, too, and may be first.
            let ordered = try await Self.present(orderless, to: service)
            #expect([200, 201].contains(ordered.status), "\(ordered)")
            #expect(try await service.coins() == 100)
            try await house.expectSound()
        }
    }

    @Test func `lines of one product are one purchase of all their pieces`() async throws {
        try await House.openGooglePlay { house, store, service in
            let line = #"{"product_id": "com.example.coins.100", "quantity": 2, "price": 2400}"#
            let bought = try await store.buy(all: #""notify": false, "items": [\#(line), \#(line)]"#)
            let credited = try await Self.present(bought, to: service)
            #expect(credited.status == 201 && credited.json["purchase"]["coins"] == 400, "\(credited)")
            #expect(credited.json["purchase"]["amount"] == 4800, "\(credited)")
            try await house.expectSound()
        }
    }

    @Test func `a licence tester's purchase gives bonus coins once where they are admitted, and is consumed`()
        async throws
    {
        let settings = ["LEDGERD_GOOGLE_PLAY_SANDBOX": "testers", "LEDGERD_GOOGLE_PLAY_TESTERS": "ann"]
        try await House.openGooglePlay(settings) { house, store, service in
            let token = String(repeating: "abcdefghij", count: 60) + ".AO-J1O_z"
            let tried = try await store.buy(#", "type": "test", "purchase_token": "\#(token)""#)
            let refused = try await Self.present(tried, to: service, by: "bob")
            #expect(refused.status == 422 && refused.code == "test_payment", "\(refused)")
            let given = try await Self.present(tried, to: service)
            #expect(given.status == 201 && given.json["trial"]["coins"] == 100, "\(given)")
            #expect(given.json["balance"]["bonus"] == 100 && given.json["balance"]["paid"] == 0, "\(given)")
            #expect(try await store.isConsumed(tried))
            let again = try await Self.present(tried, to: service)
            #expect(again.status == 200 && again.json["trial"] == given.json["trial"], "\(again)")

            // Nobody pays for a test, so it may have no order.
            let orderless = try await store.buy(#", "type": "test", "without_order": true"#)
            #expect(try await Self.present(orderless, to: service).json["trial"]["coins"] == 100)
            #expect(try await house.books.count("SELECT count(*) FROM purchase") == 0)
            try await house.expectSound()
        }
    }

    @Test func `we refund a purchase whole through Google, and no part of one`() async throws {
        try await House.openGooglePlay { house, store, service in
            let bought = try await store.buy(#", "quantity": 3, "price": 3300"#)
            let id = try #require(try await Self.present(bought, to: service).json["purchase"]["id"].integer)
            let part = try await service.refund(id, #", "coins": 100"#, key: "part")
            #expect(part.status == 422 && part.code == "refund_refused", "\(part)")
            #expect(part.json["reason"] == "part_refused", "\(part)")
            #expect(try await service.coins() == 300)
            let whole = try await service.refund(id, key: "whole")
            #expect(whole.status == 201 && whole.json["refund"]["status"] == "completed", "\(whole)")
            #expect(whole.json["refund"]["amount"] == 3300 && whole.json["balance"]["total"] == 0, "\(whole)")
            let shown = try await store.send(.get, "/sandbox/google/purchases/\(bought.token)")
            #expect(shown.json["order"]["state"] == "REFUNDED" && shown.json["voided"].elements.count == 1, "\(shown)")
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            try await house.expectSound()
        }
    }
}
