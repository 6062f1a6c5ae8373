import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// Orders, and refunds as each list shows them.
@Suite(.timeLimit(.minutes(20))) struct PlayOrderTests {
    @Test func `an order has the amounts`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(#""quantity": 3, "price": 3300"#)
            let order = try await store.google(.get, "orders/" + bought["order_id"].text)
            #expect(order["state"] == .string("PROCESSED") && order["purchaseToken"] == bought["purchase_token"])
            #expect(order["total"] == Self.won(3300) && order["tax"] == Self.won(300))
            #expect(order["developerRevenueInBuyerCurrency"] == Self.won(2550))
            #expect(order["orderDetails"]["taxInclusive"] == .bool(true))
            let item = order["lineItems"].elements.first ?? .null
            #expect(item["listingPrice"] == Self.won(1100) && item["total"] == Self.won(3300))
            #expect(item["oneTimePurchaseDetails"]["quantity"] == .int(3))
        }
    }

    @Test func `other currencies have fractions`() async throws {
        try await StoreUnderTest.run { store in
            let id = try await store.play(#""price": 2.99, "currency": "USD", "tax": 0.27"#)["order_id"].text
            let total = try await store.google(.get, "orders/\(id)")["total"]
            let expected: [String: JSONValue] = [
                "currencyCode": .string("USD"), "units": .string("2"), "nanos": .int(990_000_000),
            ]
            #expect(total == .object(expected))
        }
    }

    @Test func `several orders are read at once, and an unknown one fails all`() async throws {
        try await StoreUnderTest.run { store in
            var ids: [String] = []
            for _ in 1...3 { ids.append(try await store.play()["order_id"].text) }
            func read(_ ids: [String]) async throws -> Answer {
                let query = ids.map { "orderIds=\($0)" }.joined(separator: "&")
                return try await store.google(.get, "orders:batchGet?\(query)")
            }
            #expect(try await read(ids)["orders"].elements.map { $0["orderId"].text } == ids)
            #expect(try await read(ids + ["GPA.1"]).status == 404)
            #expect(try await read([]).status == 400)
            #expect(try await read([ids[0], ids[0]]).status == 400)
            let many = (0...1000).map { "GPA.\($0)" }
            #expect(try await read(many).status == 400)
        }
    }

    // MARK: Refunds

    /// What the API shows after a refund.
    private struct Shown: Equatable {
        let state: String
        let refundable: Int
        let order: String
        let revenue: JSONValue
        let voided: [JSONValue]

        init(_ store: StoreUnderTest, _ bought: JSONValue) async throws {
            let purchase = try await store.purchaseV2(bought["purchase_token"].text)
            state = purchase["purchaseStateContext"]["purchaseState"].text
            let line = purchase["productLineItem"].elements.first ?? .null
            refundable = line["productOfferDetails"]["refundableQuantity"].integer
            let order = try await store.google(.get, "orders/" + bought["order_id"].text)
            self.order = order["state"].text
            revenue = order["developerRevenueInBuyerCurrency"]
            voided = try await store.google(
                .get, "purchases/voidedpurchases?includeQuantityBasedPartialRefund=true"
            )["voidedPurchases"].elements.map { $0["voidedQuantity"] }
        }

        init(_ state: String, _ refundable: Int, _ order: String, won: Int, voided: [JSONValue]) {
            (self.state, self.refundable, self.order) = (state, refundable, order)
            revenue = PlayOrderTests.won(won)
            self.voided = voided
        }
    }

    @Test func `each refund shows where Google shows it`() async throws {
        try await StoreUnderTest.run { store in
            for (members, expected) in [
                ("", Shown("CANCELLED", 0, "REFUNDED", won: 0, voided: [.null])),
                (#", "revoke": false"#, Shown("PURCHASED", 0, "REFUNDED", won: 0, voided: [])),
                (
                    #", "quantity": 1"#,
                    Shown("PURCHASED", 2, "PARTIALLY_REFUNDED", won: 1700, voided: [.int(1)])
                ),
                (#", "amount": 1100"#, Shown("PURCHASED", 3, "PARTIALLY_REFUNDED", won: 1700, voided: [])),
            ] {
                let bought = try await store.play(#""quantity": 3, "price": 3300"#)
                let answer = try await store.playChange(
                    bought["purchase_token"].text, #""act": "refund"\#(members)"#)
                #expect(answer.status == 200, "\(answer.text)")
                let shown = try await Shown(store, bought)
                #expect(shown == expected)
                // What is voided by now is too old for the list.
                store.clock.advance(by: 40 * 86_400)
            }
        }
    }

    @Test func `the last part of a quantity has no number, and the order has each event`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(#""quantity": 3, "price": 1000"#)
            let token = bought["purchase_token"].text
            for _ in 1...3 {
                #expect(try await store.playChange(token, #""act": "refund", "quantity": 1"#).status == 200)
            }
            let shown = try await Shown(store, bought)
            #expect(shown == Shown("CANCELLED", 0, "REFUNDED", won: 0, voided: [.int(1), .int(1), .null]))
            let history = try await store.google(.get, "orders/" + bought["order_id"].text)["orderHistory"]
            let parts = history["partialRefundEvents"].elements
            #expect(parts.map { $0["refundDetails"]["total"] } == [Self.won(333), Self.won(333)])
            #expect(history["refundEvent"]["refundDetails"]["total"] == Self.won(334))
            #expect(history["refundEvent"]["refundReason"] == .string("OTHER"))
            #expect(try await store.playChange(token, #""act": "refund""#).status == 409)
        }
    }

    @Test func `a refund may be pending at first`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(#""price": 1100, "refund_delay": 60"#)
            func order() async throws -> JSONValue {
                try await store.google(.get, "orders/" + bought["order_id"].text).json
            }
            _ = try await store.playChange(bought["purchase_token"].text, #""act": "refund", "amount": 100"#)
            let part = try await order()
            #expect(part["state"] == .string("PROCESSED") && part["developerRevenueInBuyerCurrency"] == Self.won(850))
            let event = part["orderHistory"]["partialRefundEvents"].elements.first ?? .null
            #expect(event["state"] == .string("PENDING") && event["processTime"] == .null)
            store.clock.advance(by: 60)
            #expect(try await order()["state"] == .string("PARTIALLY_REFUNDED"))
            _ = try await store.google(.post, "orders/" + bought["order_id"].text + ":refund")
            let pending = try await order()
            #expect(pending["state"] == .string("PENDING_REFUND"))
            #expect(pending["orderHistory"]["refundEvent"] == .null)
            store.clock.advance(by: 60)
            let refunded = try await order()
            #expect(refunded["state"] == .string("REFUNDED"))
            #expect(refunded["orderHistory"]["refundEvent"]["refundDetails"]["total"] == Self.won(1000))
        }
    }

    @Test(arguments: ["true", "false"])
    func `the shop refunds a whole order, once`(revoke: String) async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(#""price": 1100"#)
            let id = bought["order_id"].text
            let answer = try await store.google(.post, "orders/\(id):refund?revoke=\(revoke)")
            #expect(answer.status == 204 && answer.text.isEmpty)
            let isRevoked = revoke == "true"
            let expected = Shown(
                isRevoked ? "CANCELLED" : "PURCHASED", 0, "REFUNDED", won: 0, voided: isRevoked ? [.null] : [])
            #expect(try await Shown(store, bought) == expected)
            let again = try await store.google(.post, "orders/\(id):refund")
            #expect(again.status == 400)
            #expect(try await store.google(.post, "orders/GPA.1:refund").status == 404)
            #expect(try await store.google(.post, "orders/\(id):forget").status == 404)
        }
    }

    @Test(arguments: [(1095, 204), (1096, 400)])
    func `an order of more than three years ago can't be refunded`(days: Int, status: Int) async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play()
            _ = try await store.act("consume", bought["purchase_token"].text)
            _ = try await store.control(.put, "clock", #"{"advance_seconds": \#(days * 86_400)}"#)
            let answer = try await store.google(.post, "orders/" + bought["order_id"].text + ":refund")
            #expect(answer.status == status)
        }
    }

    @Test func `a chargeback is in the order and in the list`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play()
            _ = try await store.playChange(
                bought["purchase_token"].text, #""act": "refund", "reason": 7, "source": 0, "voided_at": 1699999000"#)
            let order = try await store.google(.get, "orders/" + bought["order_id"].text)
            #expect(order["orderHistory"]["refundEvent"]["refundReason"] == .string("CHARGEBACK"))
            let voided = try await store.google(.get, "purchases/voidedpurchases")["voidedPurchases"].elements[0]
            #expect(voided["voidedReason"] == .int(7) && voided["voidedSource"] == .int(0))
            #expect(voided["voidedTimeMillis"] == .string("1699999000000"))
        }
    }

    // MARK: Reviews

    /// Bodies without the token, and the status of the answer.
    private static let reviews: [(String, Int)] = [
        (#""refundPreference": "DECLINE", "sampleContentProvided": false"#, 204),
        (
            #""refundPreference": "NEUTRAL", "sampleContentProvided": true, "consumptionPercentageMilliunits": 45200, "consumptionUsageEvents": [{"consumptionTime": "2023-11-14T22:13:20Z"}]"#,
            204
        ),
        (#""refundPreference": "PERHAPS", "sampleContentProvided": false"#, 400),
        (#""sampleContentProvided": false"#, 400), (#""refundPreference": "APPROVE""#, 400),
        (
            #""refundPreference": "APPROVE", "sampleContentProvided": false, "consumptionPercentageMilliunits": 100001"#,
            400
        ),
    ]

    @Test(arguments: reviews)
    func `what is said about a chargeback is checked and kept`(body: String, status: Int) async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play()
            let asked = try await store.playChange(bought["purchase_token"].text, #""act": "ask_review""#)
            let token = asked["reviews"].elements.first?["pending_refund_token"].text ?? ""
            func answer(_ token: String) async throws -> Int {
                try await store.google(
                    .post, "orders/" + bought["order_id"].text + ":reviewrefund",
                    json: #"{"pendingRefundToken": "\#(token)", \#(body)}"#
                ).status
            }
            #expect(try await answer(token) == status)
            #expect(try await answer("x") == 400)
            let kept = try await store.control(.get, "google/purchases/" + bought["purchase_token"].text)
            #expect(kept["reviews"].elements.first?["answers"].elements.count == (status == 204 ? 1 : 0))
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 86400}"#)
            #expect(try await answer(token) == 400)
        }
    }

    fileprivate static func won(_ units: Int) -> JSONValue {
        .object(["currencyCode": .string("KRW"), "units": .string(String(units))])
    }
}
