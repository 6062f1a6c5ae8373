import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Receipts of the App Store, from the device to the books.
@Suite(.timeLimit(.minutes(20))) struct AppStoreReceiptTests {
    private static func present(
        _ receipt: String, to service: Service, by user: String = "ann"
    ) async throws -> Answer {
        try await service.post("/v1/receipts", receipt, as: Token.user(user))
    }

    @Test func `a purchase is credited once, with the coins of each piece, as owed by the store`() async throws {
        try await House.openStore { house, store, service in
            let bought = try await store.buy(#", "quantity": 3, "price": 3300000"#)
            let credited = try await Self.present(bought.receipt, to: service)
            #expect(credited.status == 201, "\(credited)")
            let purchase = credited.json["purchase"]
            #expect(purchase["gateway"] == "app-store" && purchase["imp_uid"].text == bought.id, "\(credited)")
            #expect(purchase["coins"] == 300 && purchase["amount"] == 3300, "\(credited)")

            let again = try await Self.present(bought.receipt, to: service)
            #expect(again.status == 200 && again.json["purchase"] == purchase, "\(again)")
            let stolen = try await Self.present(bought.receipt, to: service, by: "eve")
            #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")
            #expect(try await service.coins() == 300)

            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            let accounts = owed.json["accounts"].elements
            #expect(accounts.map { $0["account"].text } == ["gateway:receivable", "app-store:receivable"], "\(owed)")
            #expect(accounts.map { $0["balance"].integer } == [0, 3300], "\(owed)")
            let lots = try await service.get("/v1/me/lots", as: Token.user("ann"))
            #expect(lots.json["lots"].elements.allSatisfy { $0["expires_at"].text == nil }, "\(lots)")
            try await house.expectSound()
        }
    }

    @Test func `the store alone refunds what it sold, and a bank transfer stays possible`() async throws {
        try await House.openStore { house, store, service in
            let credited = try await Self.present(try await store.buy().receipt, to: service)
            let id = try #require(credited.json["purchase"]["id"].integer)
            let refused = try await service.post(
                "/v1/purchases/\(id)/refunds", #"{"reason": "she asked", "coins": 100}"#, key: "r",
                as: Token.refunds())
            #expect(refused.status == 409 && refused.code == "refund_by_store", "\(refused)")
            #expect(try await service.coins() == 100)
            let transfer = try await service.post(
                "/v1/purchases/\(id)/refunds",
                #"{"reason": "she asked", "coins": 100, "method": "bank_transfer"}"#, key: "t", as: Token.refunds())
            #expect(transfer.status < 300, "\(transfer)")
            try await house.expectSound()
        }
    }

    @Test func `a purchase with a token is its user's, whoever presents it`() async throws {
        try await House.openStore { house, store, service in
            let account = try await service.get("/v1/me/store-account", as: Token.user("ann"))
            let token = try #require(account.json["app_account_token"].text)
            let bought = try await store.buy(#", "app_account_token": "\#(token)""#)
            let stolen = try await Self.present(bought.receipt, to: service, by: "eve")
            #expect(stolen.code == "receipt_belongs_to_another_user", "\(stolen)")
            #expect(try await Self.present(bought.receipt, to: service).status == 201)

            let unknown = try await store.buy(#", "app_account_token": "\#(UUID().uuidString.lowercased())""#)
            #expect(try await Self.present(unknown.receipt, to: service, by: "bob").status == 201)
            #expect(try await service.coins() == 100)
            #expect(try await service.coins(of: "bob") == 100)
            try await house.expectSound()
        }
    }

    @Test func `a purchase of an unknown product waits with a finding, and is credited when finance names it`()
        async throws
    {
        try await House.openStore { house, store, service in
            let bought = try await store.buy(product: "com.example.coins.500", notify: false)
            let waiting = try await Self.present(bought.receipt, to: service)
            #expect(waiting.status == 202 && waiting.code == "unknown_store_product", "\(waiting)")
            func findings() async throws -> [String?] {
                try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
                    .map { $0["kind"].text }
            }
            #expect(try await findings() == ["unknown_store_product"])

            let named = try await service.send(
                .put, "/v1/store-products/app-store/com.example.coins/com.example.coins.500", as: Token.finance(),
                headers: [("Content-Type", "application/json")], body: #"{"product": "coins_500"}"#)
            #expect(named.status == 200, "\(named)")
            let credited = try await Self.present(bought.receipt, to: service)
            #expect(credited.status == 201, "\(credited)")
            #expect(credited.json["purchase"]["coins"] == 500 && credited.json["purchase"]["bonus_coins"] == 50)
            #expect(credited.json["purchase"]["amount"] == 1200, "what was paid, and not our price: \(credited)")
            #expect(try await findings().isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `what nobody bought here is refused by name, and what can't be booked waits`() async throws {
        try await House.openStore { house, store, service in
            func expect(_ status: Int, _ code: String, of receipt: String, _ name: String) async {
                await house.check(name) {
                    let answer = try await Self.present(receipt, to: service)
                    #expect(answer.status == status && answer.code == code, "\(name): \(answer)")
                }
            }
            for signing in ["tampered", "no_leaf_oid", "no_intermediate_oid", "other_root", "four_long", "hs256"] {
                let forged = try await store.buy(#", "signing": "\#(signing)""#)
                await expect(422, "receipt_signature_invalid", of: forged.receipt, signing)
            }
            let other = try await store.buy(#", "bundle_id": "com.example.other""#)
            await expect(422, "app_mismatch", of: other.receipt, "another app")
            let tried = try await store.buy(#", "environment": "Sandbox""#)
            await expect(422, "environment_mismatch", of: tried.receipt, "Apple's sandbox")
            let shared = try await store.buy(#", "ownership": "FAMILY_SHARED""#)
            await expect(422, "family_shared", of: shared.receipt, "shared by a family")

            // What the device kept from before the refund verifies for ever.
            let refunded = try await store.buy()
            try await store.change(refunded, #""act": "refund", "notify": false"#)
            await expect(422, "payment_cancelled", of: refunded.receipt, "refunded")

            let dollars = try await store.buy(#", "currency": "USD", "price": 990, "storefront": "USA""#)
            await expect(202, "price_not_bookable", of: dollars.receipt, "dollars")
            let unknown = try await store.buy(#", "currency": "ZZZ", "price": 990, "storefront": "USA""#)
            await expect(202, "price_not_bookable", of: unknown.receipt, "an unknown currency")
            let gym = try await store.buy(#", "type": "Non-Consumable""#)
            await expect(202, "unknown_store_product", of: gym.receipt, "no consumable")
            let findings = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
            let unbooked = findings.filter { $0["kind"] == "price_not_bookable" }
            #expect(Set(unbooked.map { $0["imp_uid"].text }) == [dollars.id, unknown.id], "\(findings)")

            let bought = try await store.buy()
            let bare = #"{"app_store": {"transaction_id": "\#(bought.id)"}}"#
            await expect(400, "missing_member", of: bare, "an id alone")
            await expect(400, "invalid_request", of: #"{"app_store": {"signed_transaction": "a b"}}"#, "no ASCII")
            let told = try await service.post("/v1/users/bob/receipts", bare, as: Token.service())
            #expect(told.status == 201, "a service has it from elsewhere: \(told)")
            #expect(try await service.coins() == 0)
            try await house.expectSound()
        }
    }

    @Test func `purchases in Apple's sandbox are credited where test payments are`() async throws {
        try await House.openStore(["LEDGERD_ALLOW_TEST_PAYMENTS": "true"]) { house, store, service in
            let tried = try await store.buy(#", "environment": "Sandbox""#)
            #expect(try await Self.present(tried.receipt, to: service).status == 201)
            #expect(try await service.coins() == 100)

            // Production is asked first: another buyer's purchase there is not what the tester's device has signed.
            _ = try await store.buy(#", "transaction_id": "777""#)
            let alike = try await store.buy(#", "environment": "Sandbox", "transaction_id": "777""#)
            let refused = try await Self.present(alike.receipt, to: service)
            #expect(refused.status == 422 && refused.code == "environment_mismatch", "\(refused)")
            #expect(try await service.coins() == 100)
            try await house.expectSound()
        }
    }
}
