import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// What the control API does to purchases.
@Suite(.timeLimit(.minutes(20))) struct PurchaseControlTests {
    @Test func `a refund of a part, of more, and its reversal are in the transaction`() async throws {
        try await StoreUnderTest.run { store in
            let id = try await store.buy(#""quantity": 3"#)["transaction_id"].text
            func revocation(_ members: String) async throws -> [JSONValue] {
                store.clock.advance(by: 1)
                let answer = try await store.change(id, members)
                #expect(answer.status == 200, "\(answer.text)")
                let info = try await store.call(.get, "v1/transactions/\(id)")["signedTransactionInfo"]
                let payload = StoreUnderTest.payload(info)
                return ["revocationDate", "revocationType", "revocationPercentage", "revocationReason"].map {
                    payload[$0]
                }
            }
            #expect(
                try await revocation(#""act": "refund", "percentage": 33333, "reason": 1"#)
                    == [.int(1_700_000_001_000), .string("REFUND_PRORATED"), .int(33_333), .int(1)])
            #expect(
                try await revocation(#""act": "refund""#)
                    == [.int(1_700_000_002_000), .string("REFUND_FULL"), .int(100_000), .int(0)])
            #expect(try await revocation(#""act": "reverse_refund""#) == [.null, .null, .null, .null])
            #expect(try await store.change(id, #""act": "reverse_refund""#).status == 409)
            #expect(
                try await revocation(#""act": "refund", "legacy": true"#)
                    == [.int(1_700_000_004_000), .null, .null, .int(0)])
            #expect(
                try await revocation(#""act": "revoke""#)
                    == [.int(1_700_000_005_000), .string("FAMILY_REVOKE"), .null, .int(0)])
        }
    }

    @Test func `a transaction kept from before a refund still says that it is paid`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.buy()
            let refunded = try await store.change(bought["transaction_id"].text, #""act": "refund""#)
            #expect(StoreUnderTest.payload(bought["signed_transaction"])["revocationDate"] == .null)
            #expect(StoreUnderTest.payload(refunded["signed_transaction"])["revocationDate"] != .null)
        }
    }

    @Test func `a code costs nothing, and members can be replaced, added and removed`() async throws {
        try await StoreUnderTest.run { store in
            let free = StoreUnderTest.payload(
                try await store.buy(#""offer_code": "SPRING""#)["signed_transaction"])
            #expect(free["price"] == .int(0) && free["offerType"] == .int(3))
            #expect(free["offerDiscountType"] == .string("ONE_TIME") && free["offerIdentifier"] == .string("SPRING"))
            let odd = StoreUnderTest.payload(
                try await store.buy(
                    #""type": "Hologram", "payload": {"price": null, "isGift": true, "quantity": 7}"#
                )["signed_transaction"])
            #expect(odd["type"] == .string("Hologram") && odd["price"] == .null)
            #expect(odd["isGift"] == .bool(true) && odd["quantity"] == .int(7))
        }
    }

    @Test func `customers differ, and environments`() async throws {
        try await StoreUnderTest.run { store in
            var ids: [String] = []
            for members in [
                #""customer": "a""#, #""customer": "a""#, #""customer": "b""#,
                #""customer": "a", "environment": "Sandbox""#,
            ] {
                ids.append(try await store.buy(members)["app_transaction_id"].text)
            }
            #expect(ids[0] == ids[1] && Set(ids).count == 3)
        }
    }

    @Test(arguments: [
        ("{}", "product_id"), (#"{"product_id": "c", "quantity": 11}"#, "quantity"),
        (#"{"product_id": "c", "quantity": 0}"#, "quantity"), (#"{"product_id": "c", "price": -1}"#, "price"),
        (#"{"product_id": "c", "app_account_token": "user-1"}"#, "app_account_token"),
        (#"{"product_id": "c", "environment": "Xcode"}"#, "environment"),
        (#"{"product_id": "c", "transaction_id": "x"}"#, "transaction_id"),
        (#"{"product_id": "c", "signing": "bad"}"#, "signing"), (#"{"product_id": "c", "payload": 1}"#, "payload"),
        (#"{"product_id": "c", "prize": 1}"#, "prize"),
    ])
    func `what is wrong with a purchase is named`(body: String, field: String) async throws {
        try await StoreUnderTest.run { store in
            let answer = try await store.control(.post, "apple/purchases", body)
            #expect(answer.status == 400 && answer["field"] == .string(field))
        }
    }

    @Test func `a transaction id is used once, and an unknown one can't change`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.buy(#""transaction_id": "20001""#)
            let again = try await store.control(
                .post, "apple/purchases", #"{"product_id": "c", "transaction_id": "20001"}"#)
            #expect(again.status == 409 && again["field"] == .string("transaction_id"))
            #expect(try await store.change("20002", #""act": "refund""#).status == 404)
            #expect(try await store.control(.get, "apple/purchases/20002").status == 404)
            #expect(try await store.change("20001", #""act": "destroy""#)["field"] == .string("act"))
            #expect(try await store.change("20001", #""act": "announce""#)["field"] == .string("type"))
            let nothing = try await store.change("20001", #""act": "refund", "percentage": 0"#)
            #expect(nothing["field"] == .string("percentage"))
        }
    }

    @Test func `a shop finds what it must set up`() async throws {
        try await StoreUnderTest.run { store in
            let shown = try await store.control(.get, "apple")
            #expect(shown["private_key"].text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
            #expect(shown["urls"]["Production"].text == "http://localhost/apple/production")
            #expect(shown["urls"]["Sandbox"].text == "http://localhost/apple/sandbox")
            #expect(shown["ocsp_mode"] == .string("good") && shown["is_released"] == .bool(true))
        }
    }
}
