import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// Purchases in the Google Play Developer API, and the time for which they wait.
@Suite(.timeLimit(.minutes(20))) struct PlayPurchaseTests {
    @Test func `a purchase has its members, and no amount`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(
                #""quantity": 3, "account_id": "user-7", "profile_id": "p", "offer_id": "spring""#)
            let answer = try await store.purchaseV2(bought["purchase_token"].text)
            #expect(answer.status == 200 && answer.contentType == "application/json; charset=UTF-8")
            let details: [String: JSONValue] = [
                "purchaseOptionId": .string("base"), "quantity": .int(3), "refundableQuantity": .int(3),
                "consumptionState": .string("CONSUMPTION_STATE_YET_TO_BE_CONSUMED"), "offerId": .string("spring"),
            ]
            let expected: [String: JSONValue] = [
                "kind": .string("androidpublisher#productPurchaseV2"), "orderId": bought["order_id"],
                "productLineItem": .array([
                    .object(["productId": .string("coins_100"), "productOfferDetails": .object(details)])
                ]),
                "purchaseStateContext": .object(["purchaseState": .string("PURCHASED")]),
                "obfuscatedExternalAccountId": .string("user-7"), "obfuscatedExternalProfileId": .string("p"),
                "regionCode": .string("KR"), "purchaseCompletionTime": .string("2023-11-14T22:13:20.000000000Z"),
                "acknowledgementState": .string("ACKNOWLEDGEMENT_STATE_PENDING"),
            ]
            #expect(answer.json == .object(expected))
        }
    }

    @Test func `the older API has numbers, for each item of a purchase`() async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.play(
                #""type": "test", "items": [{"product_id": "a"}, {"product_id": "b", "quantity": 2}]"#
            )["purchase_token"].text
            let one = try await store.google(.get, "purchases/products/a/tokens/\(token)")
            #expect(one["purchaseState"] == .int(0) && one["consumptionState"] == .int(0))
            #expect(one["purchaseType"] == .int(0) && one["quantity"] == .null)
            #expect(one["purchaseTimeMillis"] == .string("1700000000000"))
            let two = try await store.google(.get, "purchases/products/b/tokens/\(token)")
            #expect(two["quantity"] == .int(2) && two["purchaseToken"] == .string(token))
            let purchase = try await store.purchaseV2(token)
            #expect(purchase["productLineItem"].elements.map { $0["productId"].text } == ["a", "b"])
            #expect(purchase["testPurchaseContext"]["fopType"] == .string("TEST"))
            let other = try await store.google(.get, "purchases/products/c/tokens/\(token)")
            #expect(Self.reason(other) == "purchaseTokenDoesNotMatchProductId" && other.status == 400)
        }
    }

    @Test func `unknown tokens, forgotten ones and other apps are not found`() async throws {
        try await StoreUnderTest.run { store in
            let unknown = try await store.purchaseV2("x")
            #expect(unknown.status == 404 && Self.reason(unknown) == "purchaseTokenNotFound")
            let token = try await store.play()["purchase_token"].text
            _ = try await store.playChange(token, #""act": "forget""#)
            let gone = try await store.purchaseV2(token)
            #expect(gone.status == 410 && Self.reason(gone) == "purchaseTokenNoLongerValid")
            _ = try await store.playChange(token, #""act": "forget", "unknown": true"#)
            #expect(try await store.purchaseV2(token).status == 404)
            let other = try await store.send(
                .get, "/google/androidpublisher/v3/applications/com.example.other/orders/GPA.1",
                authorization: "Bearer " + (try await store.accessToken()))
            #expect(other.status == 404 && Self.reason(other) == "applicationNotFound")
        }
    }

    @Test func `a token may have any characters`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.play(#""purchase_token": "a/b:c d""#)
            let escaped = "a%2Fb%3Ac%20d"
            #expect(try await store.purchaseV2(escaped).status == 200)
            #expect(try await store.act("consume", escaped).status == 204)
            #expect(try await store.playChange(escaped, #""act": "refund""#).status == 200)
        }
    }

    // MARK: Acts

    @Test func `a purchase is consumed once, and acknowledged with what the shop attaches`() async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.play()["purchase_token"].text
            let path = "purchases/products/coins_100/tokens/\(token)"
            for _ in 1...2 {
                let answer = try await store.google(
                    .post, path + ":acknowledge", json: #"{"developerPayload": "p"}"#)
                #expect(answer.status == 204 && answer.text.isEmpty)
            }
            let acknowledged = try await store.google(.get, path)
            #expect(acknowledged["acknowledgementState"] == .int(1) && acknowledged["developerPayload"] == .string("p"))
            #expect(try await store.act("consume", token).status == 204)
            let line = try await store.purchaseV2(token)["productLineItem"].elements.first ?? .null
            #expect(line["productOfferDetails"]["consumptionState"] == .string("CONSUMPTION_STATE_CONSUMED"))
            let again = try await store.act("consume", token)
            #expect(again.status == 400 && Self.reason(again) == "productNotOwnedByUser")
            let other = try await store.act("consume", token, product: "coins_500")
            #expect(Self.reason(other) == "purchaseTokenDoesNotMatchProductId")
            #expect(try await store.act("devour", token).status == 404)
        }
    }

    @Test func `a concurrent change is refused as often as was asked`() async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.play(#""busy_calls": 1"#)["purchase_token"].text
            let busy = try await store.act("consume", token)
            #expect(busy.status == 409 && Self.reason(busy) == "concurrentUpdate")
            #expect(try await store.act("consume", token).status == 204)
        }
    }

    @Test(arguments: [("pay", "PURCHASED", "PROCESSED"), ("cancel", "CANCELLED", "CANCELED")])
    func `a pending purchase is paid or cancelled`(act: String, state: String, order: String) async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(#""state": "pending""#)
            let token = bought["purchase_token"].text
            let pending = try await store.purchaseV2(token)
            #expect(pending["purchaseStateContext"]["purchaseState"] == .string("PENDING"))
            #expect(pending["purchaseCompletionTime"] == .null)
            for verb in ["consume", "acknowledge"] {
                #expect(Self.reason(try await store.act(verb, token)) == "productNotOwnedByUser")
            }
            // Cash takes its time, which isn't that of an acknowledgement.
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 864000}"#)
            #expect(try await store.playChange(token, #""act": "\#(act)""#).status == 200)
            let changed = try await store.purchaseV2(token)
            #expect(changed["purchaseStateContext"]["purchaseState"] == .string(state))
            #expect((changed["purchaseCompletionTime"] == .null) == (act == "cancel"))
            let shown = try await store.google(.get, "orders/" + bought["order_id"].text)
            #expect(shown["state"] == .string(order))
            let event = act == "pay" ? "processedEvent" : "cancellationEvent"
            #expect(shown["orderHistory"][event]["eventTime"].text.hasPrefix("2023-11-24T22:13:20"))
            #expect(try await store.playChange(token, #""act": "\#(act)""#).status == 409)
        }
    }

    @Test func `a purchase without an order gets one later`() async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.play(#""without_order": true, "type": "promo""#)["purchase_token"].text
            #expect(try await store.purchaseV2(token)["orderId"] == .null)
            _ = try await store.playChange(token, #""act": "give_order", "order_id": "GPA.7""#)
            #expect(try await store.purchaseV2(token)["orderId"] == .string("GPA.7"))
            #expect(try await store.google(.get, "orders/GPA.7")["total"]["units"] == .string("0"))
            #expect(try await store.playChange(token, #""act": "give_order""#).status == 409)
        }
    }

    @Test func `members can be replaced, added and removed`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(
                #""purchase": {"regionCode": null, "purchaseStateContext": {"purchaseState": "DREAMT"}}, "order": {"state": "LENT"}"#
            )
            let purchase = try await store.purchaseV2(bought["purchase_token"].text)
            #expect(purchase["purchaseStateContext"]["purchaseState"] == .string("DREAMT"))
            #expect(purchase["regionCode"] == .null && purchase["kind"] != .null)
            #expect(try await store.google(.get, "orders/" + bought["order_id"].text)["state"] == .string("LENT"))
        }
    }

    // MARK: Time

    /// Who bought, what was done, and after how many seconds Google takes the purchase back; nil for never.
    private static let times: [(type: String, act: String?, seconds: Int?)] = [
        ("", nil, 259_200), (#""type": "test""#, nil, 300), ("", "acknowledge", nil), ("", "consume", nil),
    ]

    @Test(arguments: times)
    func `what nobody acknowledges in time is taken back`(
        type: String, act: String?, seconds: Int?
    ) async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(type)
            let token = bought["purchase_token"].text
            if let act { #expect(try await store.act(act, token).status == 204) }
            func state() async throws -> String {
                try await store.purchaseV2(token)["purchaseStateContext"]["purchaseState"].text
            }
            _ = try await store.control(.put, "clock", #"{"advance_seconds": \#((seconds ?? 864_000) - 1)}"#)
            #expect(try await state() == "PURCHASED")
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 1}"#)
            #expect(try await state() == (seconds == nil ? "PURCHASED" : "CANCELLED"))
            let voided = try await store.google(.get, "purchases/voidedpurchases")["voidedPurchases"].elements
            guard let seconds else {
                #expect(voided.isEmpty)
                return
            }
            #expect(voided.count == 1 && voided[0]["voidedReason"] == .int(8) && voided[0]["voidedSource"] == .int(2))
            #expect(voided[0]["voidedTimeMillis"] == .string(String(1_700_000_000_000 + seconds * 1000)))
            let order = try await store.google(.get, "orders/" + bought["order_id"].text)
            #expect(order["state"] == .string("REFUNDED"))
            #expect(Self.reason(try await store.act("consume", token)) == "productNotOwnedByUser")
        }
    }

    @Test func `the time for an acknowledgement is a setting, and begins with the payment`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.control(.put, "google/app", #"{"acknowledge_within": 60}"#)
            let token = try await store.play(#""state": "pending""#)["purchase_token"].text
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 60}"#)
            _ = try await store.playChange(token, #""act": "pay""#)
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 59}"#)
            let left = "google/purchases?unconsumed=true"
            #expect(try await store.control(.get, left)["purchases"].elements.count == 1)
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 1}"#)
            #expect(try await store.control(.get, left)["purchases"].elements.isEmpty)
        }
    }

    // MARK: Control

    @Test(arguments: [
        ("{}", "product_id"), (#"{"product_id": "c", "quantity": 0}"#, "quantity"),
        (#"{"product_id": "c", "price": -1}"#, "price"), (#"{"product_id": "c", "state": "sold"}"#, "state"),
        (#"{"product_id": "c", "type": "gift"}"#, "type"), (#"{"items": []}"#, "items"),
        (#"{"items": [{"quantity": 1}]}"#, "product_id"), (#"{"product_id": "c", "purchase": 1}"#, "purchase"),
        (#"{"product_id": "c", "prize": 1}"#, "prize"),
    ])
    func `what is wrong with a purchase is named`(body: String, field: String) async throws {
        try await StoreUnderTest.run { store in
            let answer = try await store.control(.post, "google/purchases", body)
            #expect(answer.status == 400 && answer["field"] == .string(field))
        }
    }

    @Test(arguments: [
        (#""act": "destroy""#, 400, "act"), (#""act": "announce""#, 400, "notification"),
        (#""act": "refund", "quantity": 1, "amount": 1"#, 400, "amount"),
        (#""act": "refund", "quantity": 4"#, 409, "quantity"), (#""act": "refund", "amount": 3600"#, 409, "amount"),
        (#""act": "refund", "quantity": 1, "product_id": "x""#, 409, "product_id"), (#""act": "pay""#, 409, "act"),
    ])
    func `what is wrong with a change is named`(members: String, status: Int, field: String) async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.play(#""quantity": 3"#)["purchase_token"].text
            let answer = try await store.playChange(token, members)
            #expect(answer.status == status && answer["field"] == .string(field), "\(answer.text)")
        }
    }

    @Test func `tokens and order ids are used once`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.play(#""purchase_token": "t", "order_id": "GPA.1""#)
            for (members, field) in [
                (#""purchase_token": "t""#, "purchase_token"), (#""order_id": "GPA.1""#, "order_id"),
            ] {
                let again = try await store.control(
                    .post, "google/purchases", #"{"product_id": "c", \#(members)}"#)
                #expect(again.status == 409 && again["field"] == .string(field))
            }
            #expect(try await store.playChange("u", #""act": "refund""#).status == 404)
            #expect(try await store.control(.get, "google/purchases/u").status == 404)
            #expect(try await store.control(.get, "google/purchases/t")["order_id"] == .string("GPA.1"))
        }
    }

    static func reason(_ answer: Answer) -> String {
        answer["error"]["errors"].elements.first?["reason"].text ?? ""
    }
}
