import FoundationEssentials
import SandboxSupport
import SandboxTestSupport
import TestSupport
import Testing

@testable import SandboxStore

/// Notifications to the shop's server.
@Suite(.timeLimit(.minutes(20))) struct NotificationTests {
    /// Runs `body` with stores that notify a shop's server.
    private static func run(
        _ body: @escaping @Sendable (StoreUnderTest, WebhookReceiver) async throws -> Void
    ) async throws {
        try await WebhookReceiver.serve { shop, url in
            try await StoreUnderTest.run(
                .router,
                byMachineTime: false,
                {
                    $0.apple.notificationURL = url + "/production"
                    $0.apple.sandboxNotificationURL = url + "/sandbox"
                }
            ) { store in try await body(store, shop) }
        }
    }

    @Test func `what happens to a purchase is told, with the transaction as it is then`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            let id = try await store.buy()["transaction_id"].text
            for (members, type) in [
                ("", "ONE_TIME_CHARGE"),
                (#""act": "ask_consumption", "consumption_reason": "LEGAL""#, "CONSUMPTION_REQUEST"),
                (#""act": "decline_refund""#, "REFUND_DECLINED"),
                (#""act": "refund", "percentage": 50000"#, "REFUND"), (#""act": "reverse_refund""#, "REFUND_REVERSED"),
                (#""act": "announce", "type": "NEWS", "subtype": "OF_TODAY""#, "NEWS"),
            ] {
                if !members.isEmpty { _ = try await store.change(id, members) }
                let message = await received.next()
                #expect(message?.headers["content-type"] == "application/json")
                let payload = StoreUnderTest.payload(message?.json["signedPayload"] ?? .null)
                #expect(payload["notificationType"] == .string(type) && payload["version"] == .string("2.0"))
                #expect(payload["signedDate"] == .int(1_700_000_000_000))
                #expect(payload["subtype"] == (type == "NEWS" ? .string("OF_TODAY") : .null))
                let data = payload["data"]
                #expect(data["bundleId"] == .string("com.example.coins") && data["appAppleId"] == .int(1_234_567_890))
                #expect(data["environment"] == .string("Production"))
                #expect(data["consumptionRequestReason"] == (type == "CONSUMPTION_REQUEST" ? .string("LEGAL") : .null))
                let transaction = StoreUnderTest.payload(data["signedTransactionInfo"])
                #expect(transaction["transactionId"] == .string(id))
                #expect(transaction["revocationPercentage"] == (type == "REFUND" ? .int(50_000) : .null))
            }
        }
    }

    @Test func `a notification that fails is sent five more times, ever later`() async throws {
        try await Self.run { store, shop in
            shop.answer(
                .internalServerError, .badRequest, .serviceUnavailable, .notFound, .internalServerError, .badGateway)
            _ = try await store.buy()
            for (attempts, hours) in zip(1..., [1, 12, 24, 48, 72]) {
                let told = try await Self.notification(of: store, attempts: attempts)
                #expect(told["state"] == .string("waiting"))
                let due = store.clock.now.addingTimeInterval(Double(hours) * 3600)
                #expect(told["due_at"] == RFC3339Time.nanoseconds(due))
                store.clock.advance(by: Double(hours) * 3600)
            }
            let failed = try await Self.notification(of: store, attempts: 6)
            #expect(failed["state"] == .string("failed") && failed["due_at"] == .null)
            let results = failed["attempts"].elements.map { $0["result"].text }
            #expect(results == Array(repeating: "UNSUCCESSFUL_HTTP_RESPONSE_CODE", count: 6))
            // Sent again by hand, it is delivered.
            #expect(try await store.control(.post, "apple/notifications/1/send").status == 202)
            let delivered = try await Self.notification(of: store, attempts: 7)
            #expect(delivered["state"] == .string("succeeded"))
        }
    }

    @Test func `the time scale shortens the pauses`() async throws {
        try await Self.run { store, shop in
            shop.answer(.internalServerError)
            _ = try await store.control(.put, "clock", #"{"time_scale": 3600}"#)
            _ = try await store.buy()
            let told = try await Self.notification(of: store, attempts: 1)
            #expect(told["due_at"] == RFC3339Time.nanoseconds(store.clock.now.addingTimeInterval(1)))
        }
    }

    @Test func `Apple's sandbox tries once`() async throws {
        try await Self.run { store, shop in
            shop.answer(.internalServerError)
            _ = try await store.buy(#""environment": "Sandbox""#)
            #expect(try await Self.notification(of: store, attempts: 1)["state"] == .string("failed"))
            let data = StoreUnderTest.payload(
                try await Self.notification(of: store, attempts: 1)["signed_payload"])["data"]
            #expect(data["environment"] == .string("Sandbox") && data["appAppleId"] == .null)
        }
    }

    @Test func `the plan holds, reorders, repeats, drops and spoils notifications`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            func next() async -> JSONValue { await received.next()?.json["signedPayload"] ?? .null }
            _ = try await store.control(
                .put, "apple/notifications/plan",
                #"""
                [{"act": "hold", "times": 2}, {"act": "duplicate", "type": "REFUND"},
                 {"act": "drop", "type": "REFUND_REVERSED"},
                 {"act": "sign", "signing": "other_root", "type": "REFUND_DECLINED"}]
                """#)
            var ids: [String] = []
            for _ in 1...2 { ids.append(try await store.buy()["transaction_id"].text) }
            let released = try await store.control(.post, "apple/notifications/release", #"{"order": "reversed"}"#)
            #expect(released["released"] == .int(2))
            #expect(await Self.transactionID(next()) == ids[1])
            // The other one is due a millisecond later.
            store.clock.advance(by: 0.001)
            #expect(await Self.transactionID(next()) == ids[0])
            _ = try await store.change(ids[0], #""act": "refund""#)
            let (one, two) = (await next(), await next())
            #expect(one == two && one != .null)
            _ = try await store.change(ids[0], #""act": "reverse_refund""#)
            _ = try await store.change(ids[1], #""act": "decline_refund""#)
            let declined = StoreUnderTest.payload(await next())
            #expect(declined["notificationType"] == .string("REFUND_DECLINED"))
            let dropped = try await store.control(.get, "apple/notifications")["notifications"].elements.first {
                $0["type"] == .string("REFUND_REVERSED")
            }
            #expect(dropped?["state"] == .string("failed"))
            #expect(dropped?["attempts"].elements.first?["result"] == .string("NO_RESPONSE"))
        }
    }

    @Test(arguments: [
        (#"{"act": "lose"}"#, "act"), (#"{"act": "sign"}"#, "signing"),
        (#"{"act": "hold", "signing": "tampered"}"#, "signing"), ("{}", "act"),
    ])
    func `what is wrong with a plan is named`(plan: String, field: String) async throws {
        try await StoreUnderTest.run { store in
            let answer = try await store.control(.put, "apple/notifications/plan", plan)
            #expect(answer.status == 400 && answer["field"] == .string(field))
        }
    }

    // MARK: The API

    @Test func `a test notification is sent, and its result is asked for`() async throws {
        try await Self.run { store, shop in
            var received = shop.messages.makeAsyncIterator()
            let asked = try await store.call(.post, "v1/notifications/test")
            let token = asked["testNotificationToken"].text
            #expect(asked.status == 200 && !token.isEmpty)
            let payload = await received.next()?.json["signedPayload"]
            #expect(StoreUnderTest.payload(payload ?? .null)["notificationType"] == .string("TEST"))
            try await eventually("the result is known") {
                let status = try await store.call(.get, "v1/notifications/test/\(token)")
                #expect(status["signedPayload"] == payload)
                return status["sendAttempts"].elements.first?["sendAttemptResult"] == .string("SUCCESS")
            }
            let unknown = try await store.call(.get, "v1/notifications/test/\(token)0")
            #expect(unknown.status == 404 && unknown["errorCode"] == .int(4_040_008))
            #expect(try await store.call(.get, "v1/notifications/test/x")["errorCode"] == .int(4_000_020))
        }
    }

    @Test func `without a URL there is nothing to test, and nothing is sent`() async throws {
        try await StoreUnderTest.run { store in
            let asked = try await store.call(.post, "v1/notifications/test")
            #expect(asked.status == 404 && asked["errorCode"] == .int(4_040_007))
            _ = try await store.buy()
            #expect(try await store.control(.get, "apple/notifications")["notifications"] == .array([]))
            let payload = #"{"payload": {"notificationType": "TEST"}, "signing": "tampered"}"#
            #expect(try await store.control(.post, "apple/notifications", payload).status == 409)
            let wrong = try await store.control(.put, "apple/app", #"{"notification_url": "https://shop"}"#)
            #expect(wrong["field"] == .string("notification_url"))
            let set = try await store.control(.put, "apple/app", #"{"notification_url": "http://127.0.0.1:1/"}"#)
            #expect(set["notification_url"] == .string("http://127.0.0.1:1/"))
            #expect(try await store.control(.post, "apple/notifications", payload)["type"] == .string("TEST"))
            #expect(try await store.call(.post, "v1/notifications/test").status == 200)
            #expect(try await store.call(.post, "v1/notifications/test", .sandbox).status == 404)
        }
    }

    @Test func `the history has what was tried, in pages, by type, transaction and result`() async throws {
        try await Self.run { store, shop in
            let id = try await store.buy()["transaction_id"].text
            let other = try await store.buy(#""customer": "customer-2""#)["transaction_id"].text
            for _ in 1...20 { _ = try await store.change(other, #""act": "decline_refund""#) }
            for number in 1...22 { _ = try await Self.notification(of: store, number: number, attempts: 1) }
            _ = try await store.control(
                .put, "apple/notifications/plan",
                #"[{"act": "drop", "type": "REFUND"}, {"act": "hold"}]"#)
            _ = try await store.change(id, #""act": "refund""#)
            _ = try await store.buy()
            func history(_ filter: String = "", token: String? = nil) async throws -> Answer {
                let (start, end) = (1_699_999_000_000, store.clock.now.milliseconds)
                return try await store.call(
                    .post, "v1/notifications/history" + (token.map { "?paginationToken=" + $0 } ?? ""),
                    json: #"{"startDate": \#(start), "endDate": \#(end)\#(filter)}"#)
            }
            let first = try await history()
            #expect(Self.types(first).count == 20 && first["hasMore"] == .bool(true))
            let second = try await history(token: first["paginationToken"].text)
            #expect(Self.types(second) == ["REFUND_DECLINED", "REFUND_DECLINED", "REFUND"])
            #expect(second["hasMore"] == .bool(false) && second["paginationToken"] == .null)
            let attempt = first["notificationHistory"].elements.first?["sendAttempts"].elements.first
            #expect(attempt?["sendAttemptResult"] == .string("SUCCESS"))
            #expect(attempt?["attemptDate"] == .int(1_700_000_000_000))
            #expect(Self.types(try await history(#", "onlyFailures": true"#)) == ["REFUND"])
            #expect(Self.types(try await history(#", "notificationType": "REFUND""#)) == ["REFUND"])
            #expect(Self.types(try await history(#", "transactionId": "\#(id)""#)) == ["ONE_TIME_CHARGE", "REFUND"])
            let both = try await history(#", "transactionId": "\#(id)", "notificationType": "REFUND""#)
            #expect(both["errorCode"] == .int(4_000_019))
            #expect(try await history(token: "x")["errorCode"] == .int(4_000_014))
        }
    }

    @Test(arguments: [
        ("{}", 4_000_015), (#"{"startDate": 1700000000000}"#, 4_000_016),
        (#"{"startDate": 1700000000000, "endDate": 1}"#, 4_000_013),
        // 180 days and a second ago.
        (#"{"startDate": 1684447999000, "endDate": 1700000000000}"#, 4_000_012),
        (#"{"startDate": 1684448000000, "endDate": 1700000000000}"#, nil),
    ])
    func `the history goes back half a year`(body: String, code: Int?) async throws {
        try await StoreUnderTest.run { store in
            let answer = try await store.call(.post, "v1/notifications/history", json: body)
            #expect(answer["errorCode"] == (code.map(JSONValue.int) ?? .null), "\(answer.text)")
        }
    }

    // MARK: Parts

    /// The notification with this number, when so many attempts were made.
    private static func notification(
        of store: StoreUnderTest, number: Int = 1, attempts: Int
    ) async throws -> JSONValue {
        var found = JSONValue.null
        try await eventually("\(attempts) attempts were made") {
            let list = try await store.control(.get, "apple/notifications?after=\(number - 1)")
            found = list["notifications"].elements.first ?? .null
            return found["attempts"].elements.count == attempts
        }
        return found
    }

    private static func transactionID(_ signedPayload: JSONValue) -> String {
        let data = StoreUnderTest.payload(signedPayload)["data"]
        return StoreUnderTest.payload(data["signedTransactionInfo"])["transactionId"].text
    }

    private static func types(_ history: Answer) -> [String] {
        history["notificationHistory"].elements.map {
            StoreUnderTest.payload($0["signedPayload"])["notificationType"].text
        }
    }
}
