import FoundationEssentials
import SandboxSupport
import SandboxTestSupport
import TestSupport
import Testing

@testable import SandboxStore

/// Messages to the shop's server, with their tokens.
@Suite(.timeLimit(.minutes(20))) struct PlayMessageTests {
    /// Runs `body` with a Google Play that pushes to a shop's server.
    static func run(
        byMachineTime: Bool = false, _ body: @escaping @Sendable (StoreUnderTest, WebhookReceiver) async throws -> Void
    ) async throws {
        try await WebhookReceiver.serve { shop, url in
            try await StoreUnderTest.run(.router, byMachineTime: byMachineTime, { $0.google.pushURL = url + "/play" }) {
                store in try await body(store, shop)
            }
        }
    }

    static func data(_ message: WebhookReceiver.Message?) -> JSONValue {
        let text = message?.json["message"]["data"].text ?? ""
        guard let bytes = Data(base64Encoded: text) else { return .null }
        return (try? JSONDecoder().decode(JSONValue.self, from: bytes)) ?? .null
    }

    // MARK: Content

    @Test func `what happens to a purchase is told`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            let bought = try await store.play(#""quantity": 2, "state": "pending", "account_id": "user-7""#)
            let token = bought["purchase_token"]
            let oneTime: [String: JSONValue] = [
                "version": .string("1.0"), "notificationType": .int(1), "purchaseToken": token,
                "sku": .string("coins_100"),
            ]
            let void: [String: JSONValue] = [
                "purchaseToken": token, "orderId": bought["order_id"], "productType": .int(2),
            ]
            for (members, type, expected) in [
                (#""act": "pay""#, "oneTimeProductNotification", oneTime),
                (
                    #""act": "refund", "quantity": 1"#, "voidedPurchaseNotification",
                    void.merging(["refundType": .int(2)]) { $1 }
                ),
                (
                    #""act": "refund", "quantity": 1"#, "voidedPurchaseNotification",
                    void.merging(["refundType": .int(1)]) { $1 }
                ),
                (#""act": "announce", "notification": {"news": {"of": "today"}}"#, "news", ["of": .string("today")]),
            ] {
                #expect(try await store.playChange(token.text, members).status == 200)
                let message = await received.next()
                #expect(message?.headers["content-type"] == "application/json")
                #expect(message?.json["subscription"] == .string("projects/sandbox/subscriptions/google-play"))
                #expect(message?.json["message"]["publishTime"] == .string("2023-11-14T22:13:20.000000000Z"))
                let data = Self.data(message)
                #expect(data["packageName"] == .string("com.example.coins") && data["version"] == .string("1.0"))
                #expect(data["eventTimeMillis"] == .string("1700000000000"))
                #expect(data[type] == .object(expected))
            }
        }
    }

    @Test func `a cancelled pending purchase has type 2, and is no refund`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            let token = try await store.play(#""state": "pending""#)["purchase_token"].text
            _ = try await store.playChange(token, #""act": "cancel""#)
            let data = Self.data(await received.next())
            #expect(data["oneTimeProductNotification"]["notificationType"] == .int(2))
            #expect(data["voidedPurchaseNotification"] == .null)
        }
    }

    @Test func `a review is asked for with its token`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            let token = try await store.play(#""notify": false, "account_id": "user-7""#)["purchase_token"].text
            let asked = try await store.playChange(token, #""act": "ask_review""#)
            let review = Self.data(await received.next())["pendingRefundReviewNotification"]
            #expect(review["pendingRefundToken"] == asked["reviews"].elements.first?["pending_refund_token"])
            #expect(review["orderId"] == asked["order_id"] && review["refundReason"] == .int(7))
        }
    }

    @Test func `what Google takes back by the clock is told, and what the shop refunds`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            let late = try await store.play(#""notify": false"#)
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 259200}"#)
            let first = Self.data(await received.next())["voidedPurchaseNotification"]
            #expect(first["purchaseToken"] == late["purchase_token"] && first["refundType"] == .int(1))
            let refunded = try await store.play(#""notify": false"#)
            _ = try await store.google(.post, "orders/" + refunded["order_id"].text + ":refund?revoke=true")
            let second = Self.data(await received.next())["voidedPurchaseNotification"]
            #expect(second["orderId"] == refunded["order_id"])
        }
    }

    @Test func `without the setting for all notifications, and without a URL, less is sent`() async throws {
        try await StoreUnderTest.run { store in
            let token = try await store.play()["purchase_token"].text
            #expect(try await store.control(.post, "google/messages", "{}").status == 409)
            _ = try await store.control(
                .put, "google/app", #"{"push_url": "http://127.0.0.1:1/", "all_notifications": false}"#)
            _ = try await store.play()
            _ = try await store.playChange(token, #""act": "refund", "revoke": false"#)
            #expect(try await store.control(.get, "google/messages")["messages"] == .array([]))
            _ = try await store.playChange(try await store.play()["purchase_token"].text, #""act": "refund""#)
            let sent = try await store.control(.get, "google/messages")["messages"].elements
            #expect(sent.map { $0["type"].text } == ["voidedPurchaseNotification"])
        }
    }

    // MARK: Delivery

    @Test func `a message that isn't acknowledged comes again, ever later, for seven days`() async throws {
        try await Self.run { store, shop in
            shop.answer(
                .internalServerError, .badGateway, .serviceUnavailable, .notFound, .badRequest, .unauthorized,
                .internalServerError, .internalServerError, .internalServerError)
            _ = try await store.control(.post, "google/messages", "{}")
            for (attempts, seconds) in zip(1..., [10, 20, 40, 80, 160, 320, 600, 600]) {
                let told = try await Self.message(of: store, attempts: attempts)
                let due = store.clock.now.addingTimeInterval(Double(seconds))
                #expect(told["state"] == .string("waiting") && told["due_at"] == RFC3339Time.nanoseconds(due))
                store.clock.advance(by: Double(seconds))
            }
            _ = try await Self.message(of: store, attempts: 9)
            shop.answer(.internalServerError)
            store.clock.advance(by: 7 * 86_400)
            let lost = try await Self.message(of: store, attempts: 10)
            #expect(lost["state"] == .string("failed") && lost["due_at"] == .null)
            // Sent again by hand, it is acknowledged.
            #expect(try await store.control(.post, "google/messages/1/send").status == 202)
            #expect(try await Self.message(of: store, attempts: 11)["state"] == .string("succeeded"))
        }
    }

    @Test func `the pauses are a setting`() async throws {
        try await Self.run { store, shop in
            let wrong = try await store.control(
                .put, "google/app", #"{"minimum_backoff": 60, "maximum_backoff": 30}"#)
            #expect(wrong["field"] == .string("minimum_backoff"))
            _ = try await store.control(.put, "google/app", #"{"minimum_backoff": 0}"#)
            shop.answer(.internalServerError)
            _ = try await store.control(.post, "google/messages", "{}")
            #expect(try await Self.message(of: store, attempts: 2)["state"] == .string("succeeded"))
        }
    }

    @Test func `the plan holds, reorders, repeats, drops, misdirects and spoils messages`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            func next() async -> WebhookReceiver.Message? { await received.next() }
            _ = try await store.control(.put, "google/messages/plan", #"{"act": "hold", "times": 2}"#)
            var tokens: [JSONValue] = []
            for _ in 1...2 { tokens.append(try await store.play()["purchase_token"]) }
            let released = try await store.control(.post, "google/messages/release", #"{"order": "reversed"}"#)
            #expect(released["released"] == .int(2))
            func oneTime() async -> JSONValue { Self.data(await next())["oneTimeProductNotification"] }
            #expect(await oneTime()["purchaseToken"] == tokens[1])
            // The other one is due a millisecond later.
            store.clock.advance(by: 0.001)
            #expect(await oneTime()["purchaseToken"] == tokens[0])
            for (act, isSame) in [("duplicate", true), ("republish", false)] {
                _ = try await store.control(.put, "google/messages/plan", #"{"act": "\#(act)"}"#)
                _ = try await store.play()
                let (one, two) = (await next(), await next())
                #expect(Self.data(one) == Self.data(two))
                #expect((one?.json["message"]["messageId"] == two?.json["message"]["messageId"]) == isSame)
            }
            _ = try await store.control(
                .put, "google/messages/plan",
                #"""
                [{"act": "drop", "type": "voidedPurchaseNotification"}, {"act": "misdirect"},
                 {"act": "sign", "token": "missing"}]
                """#)
            _ = try await store.playChange(tokens[0].text, #""act": "refund""#)
            _ = try await store.play()
            #expect(await next()?.json["subscription"].text.hasSuffix("-other") == true)
            _ = try await store.play()
            let spoiled = await next()
            #expect(spoiled != nil && spoiled?.headers["authorization"] == nil)
            let dropped = try await store.control(.get, "google/messages")["messages"].elements.filter {
                $0["state"] == .string("failed")
            }
            #expect(dropped.map { $0["type"].text } == ["voidedPurchaseNotification"])
        }
    }

    @Test(arguments: [
        (#"{"act": "lose"}"#, "act"), (#"{"act": "sign"}"#, "token"),
        (#"{"act": "hold", "token": "expired"}"#, "token"), ("{}", "act"),
    ])
    func `what is wrong with a plan is named`(plan: String, field: String) async throws {
        try await StoreUnderTest.run { store in
            let answer = try await store.control(.put, "google/messages/plan", plan)
            #expect(answer.status == 400 && answer["field"] == .string(field))
        }
    }

    /// The first message, when so many attempts were made.
    private static func message(of store: StoreUnderTest, attempts: Int) async throws -> JSONValue {
        var found = JSONValue.null
        try await eventually("\(attempts) attempts were made") {
            found = try await store.control(.get, "google/messages")["messages"].elements.first ?? .null
            return found["attempts"].elements.count == attempts
        }
        return found
    }
}
