import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Stores ask what the shop says to a refund, and are told, with the user's consent and until the deadline.
@Suite(.timeLimit(.minutes(20))) struct RefundQuestionServiceTests {
    private static let atOnce = ["LEDGERD_REFUND_ANSWER_AFTER": "0s"]

    /// Lends a house whose App Store tells the service what it does, with a purchase of ann's.
    private static func openApple(
        _ settings: [String: String] = [:],
        _ body: (House, AppStoreSandbox, Service, AppStoreSandbox.Bought, Int64) async throws -> Void
    ) async throws {
        try await House.openStore(settings) { house, store, service in
            let url = "http://127.0.0.1:\(service.port)/webhooks/app-store"
            let told = try await store.send(
                .put, "/sandbox/apple/app", #"{"notification_url": "\#(url)", "sandbox_notification_url": "\#(url)"}"#)
            #expect(told.status == 200, "\(told)")
            let bought = try await store.buy()
            let credited = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            try await body(
                house, store, service, bought, try #require(credited.json["purchase"]["id"].integer, "\(credited)"))
        }
    }

    private static func spend(_ coins: Int, _ service: Service) async throws {
        let spent = try await service.post("/v1/users/ann/spends", #"{"coins": \#(coins)}"#, key: "spend-\(coins)")
        #expect(spent.status == 201, "\(spent)")
    }

    private static func consent(_ service: Service, _ consents: Bool = true) async throws -> Answer {
        try await service.send(
            .put, "/v1/users/ann/store-consent", as: Token.service(), headers: [("Content-Type", "application/json")],
            body: #"{"consents": \#(consents)}"#)
    }

    private static func shown(_ purchase: Int64, _ service: Service) async throws -> JSON {
        try await service.get("/v1/purchases/\(purchase)/refund-questions", as: Token.support()).json
    }

    private static func statuses(_ purchase: Int64, _ service: Service) async throws -> [String?] {
        try await shown(purchase, service)["refund_questions"].elements.map { $0["status"].text }
    }

    /// What Apple was told about the purchase, oldest first.
    private static func told(_ bought: AppStoreSandbox.Bought, at store: AppStoreSandbox) async throws -> [JSON] {
        try await store.send(.get, "/sandbox/apple/purchases/\(bought.id)").json["consumption"].elements
    }

    private static func makeDue(_ house: House) async throws {
        try await house.books.execute(
            "UPDATE refund_question SET next_attempt_at = now(), lease_holder = NULL WHERE status = 'waiting'")
    }

    private static func fail(_ fails: Bool, _ store: AppStoreSandbox) async throws {
        let path = "/apple/*/inApps/v2/transactions/consumption/*"
        let fault = #"{"path": "\#(path)", "times": \#(fails ? 1_000_000 : 0), "kind": "reset"}"#
        #expect(try await store.send(.put, "/sandbox/faults", fault).status == 200)
    }

    @Test func `with consent Apple is told what was used, once, and its decision is shown`() async throws {
        try await Self.openApple(Self.atOnce) { house, store, service, bought, purchase in
            let consented = try await Self.consent(service)
            #expect(consented.status == 200 && consented.json["consents"] == true, "\(consented)")
            #expect(try await Self.consent(service).json == consented.json, "a repeat changes nothing")
            let read = try await service.get("/v1/users/ann/store-consent", as: Token.service())
            #expect(read.json == consented.json, "\(read)")
            try await Self.spend(30, service)

            try await store.change(bought, #""act": "ask_consumption", "consumption_reason": "FULFILLMENT_ISSUE""#)
            try await eventually("it is answered") { try await Self.statuses(purchase, service) == ["answered"] }
            // The notification comes again.
            let sent = try await store.send(.get, "/sandbox/apple/notifications").json["notifications"].elements
            let number = try #require(sent.last?["number"].integer)
            #expect(try await store.send(.post, "/sandbox/apple/notifications/\(number)/send").status == 202)
            try await house.settled()

            let answers = try await Self.told(bought, at: store)
            #expect(answers.count == 1, "\(answers)")
            let shown = try await Self.shown(purchase, service)
            #expect(shown["used_coins"] == 30 && shown["unused_coins"] == 70 && shown["percentage"] == 30_000)
            #expect(shown["consents"] == true)
            let question = shown["refund_questions"].elements[0]
            #expect(question["preference"] == "grant_prorated" && question["percentage"] == 30_000, "\(question)")
            #expect(question["store_reason"] == "FULFILLMENT_ISSUE" && question["gateway"] == "app-store")
            let answer = "\(answers)"
            for part in ["GRANT_PRORATED", "30000", "DELIVERED"] { #expect(answer.contains(part), "\(answer)") }

            try await store.change(bought, #""act": "decline_refund""#)
            try await eventually("Apple's decision is shown") {
                try await Self.shown(purchase, service)["refund_questions"].elements[0]["outcome"] == "declined"
            }
            // Another question of the same buyer is another one, and ends by the refund.
            try await store.change(bought, #""act": "ask_consumption""#)
            try await eventually("both are answered") {
                try await Self.statuses(purchase, service) == ["answered", "answered"]
            }
            try await store.change(bought, #""act": "refund""#)
            try await eventually("the refund ends it") {
                try await Self.shown(purchase, service)["refund_questions"].elements.map { $0["outcome"].text }
                    == ["refunded", "declined"]
            }
            try await house.expectSound()
        }
    }

    @Test func `without consent nothing is sent, and the last word before the deadline counts`() async throws {
        try await Self.openApple(Self.atOnce) { house, store, service, bought, purchase in
            #expect(try await service.get("/v1/users/ann/store-consent", as: Token.service()).status == 404)
            #expect(try await Self.consent(service, false).status == 200)
            try await store.change(bought, #""act": "ask_consumption""#)
            try await eventually("the question waits for consent") {
                let question = try await Self.shown(purchase, service)["refund_questions"].elements.first
                return question?["reason"] == "no_consent" && question?["status"] == "waiting"
            }
            #expect(try await Self.shown(purchase, service)["refund_questions"].elements[0]["preference"].text == nil)
            try await house.settled()
            #expect(try await Self.told(bought, at: store).isEmpty)

            #expect(try await Self.consent(service).status == 200)
            try await Self.makeDue(house)
            try await eventually("it is answered") { try await Self.statuses(purchase, service) == ["answered"] }
            let answers = "\(try await Self.told(bought, at: store))"
            #expect(answers.contains("GRANT_FULL"), "\(answers)")
            try await house.expectSound()
        }
    }

    @Test func `a person chooses another answer until it is sent`() async throws {
        // By default, there are hours for that.
        try await Self.openApple { house, store, service, bought, purchase in
            #expect(try await Self.consent(service).status == 200)
            try await store.change(bought, #""act": "ask_consumption""#)
            try await eventually("the question waits") { try await Self.statuses(purchase, service) == ["waiting"] }
            let waiting = try await Self.shown(purchase, service)["refund_questions"].elements[0]
            #expect(waiting["preference"] == "grant_full" && waiting["percentage"] == 0, "\(waiting)")
            try await house.settled()
            #expect(try await Self.told(bought, at: store).isEmpty)

            let path = "/v1/refund-questions/\(try #require(waiting["id"].integer))/overrule"
            let body = #"{"preference": "decline", "reason": "asks each month"}"#
            for token in [Token.service(), Token.user("ann")] {
                #expect(try await service.post(path, body, as: token).status == 403)
            }
            let unknown = try await service.post(
                path, #"{"preference": "maybe", "reason": "x"}"#, as: Token.support())
            #expect(unknown.status == 400 && unknown.code == "invalid_request", "\(unknown)")
            #expect(try await service.post("/v1/refund-questions/99/overrule", body, as: Token.support()).status == 404)
            let overruled = try await service.post(path, body, as: Token.support())
            #expect(overruled.status == 200 && overruled.json["overruled_to"] == "decline", "\(overruled)")
            #expect(overruled.json["overruled_by"] == "a-supporter", "\(overruled)")
            #expect(overruled.json["overruled_because"] == "asks each month", "\(overruled)")
            try await eventually("it is sent at once") { try await Self.statuses(purchase, service) == ["answered"] }
            let answers = "\(try await Self.told(bought, at: store))"
            #expect(answers.contains("DECLINE") && !answers.contains("GRANT"), "\(answers)")
            let late = try await service.post(path, body, as: Token.support())
            #expect(late.status == 409 && late.code == "refund_question_closed", "\(late)")
            try await house.expectSound()
        }
    }

    @Test
    func `a store that is down is told when it is up again, by another process, and after the deadline nobody is`()
        async throws
    {
        try await Self.openApple(Self.atOnce) { house, store, service, bought, purchase in
            #expect(try await Self.consent(service).status == 200)
            try await Self.fail(true, store)
            try await store.change(bought, #""act": "ask_consumption""#)
            try await eventually("it was to be told, and could not be") {
                try await house.books.count("SELECT count(*) FROM refund_question WHERE preference IS NOT NULL") == 1
            }
            try await service.end()
            #expect(try await Self.told(bought, at: store).isEmpty)
            try await Self.fail(false, store)
            try await Self.makeDue(house)
            let other = try await house.serve(store.settings.merging(Self.atOnce) { $1 })
            try await eventually("the other process has told it") {
                try await Self.statuses(purchase, other) == ["answered"]
            }
            #expect(try await Self.told(bought, at: store).count == 1)

            // The next question can't be answered until its deadline.
            try await Self.fail(true, store)
            let url = "http://127.0.0.1:\(other.port)/webhooks/app-store"
            let moved = try await store.send(
                .put, "/sandbox/apple/app", #"{"notification_url": "\#(url)", "sandbox_notification_url": "\#(url)"}"#)
            #expect(moved.status == 200, "\(moved)")
            try await store.change(bought, #""act": "ask_consumption""#)
            try await eventually("it could not be told") {
                try await house.books.count("SELECT count(*) FROM refund_question WHERE preference IS NOT NULL") == 2
            }
            try await house.books.execute(
                "UPDATE refund_question SET deadline = now() - interval '1 second' WHERE status = 'waiting'")
            try await Self.makeDue(house)
            try await eventually("it is over, and a person is told") {
                let findings = try await other.get("/v1/findings", as: Token.finance()).json["findings"].elements
                return findings.map { $0["kind"].text } == ["refund_question_unanswered"]
            }
            #expect(try await Self.statuses(purchase, other) == ["unanswered", "answered"])
            #expect(try await Self.told(bought, at: store).count == 1)
            try await house.expectSound()
        }
    }

    @Test func `what Apple decides before the question arrives ends it unanswered`() async throws {
        try await Self.openApple(Self.atOnce) { house, store, service, bought, purchase in
            #expect(try await Self.consent(service).status == 200)
            let plan = #"[{"act": "hold", "type": "CONSUMPTION_REQUEST"}]"#
            #expect(try await store.send(.put, "/sandbox/apple/notifications/plan", plan).status == 200)
            // An answer that comes before its end would be sent.
            try await Self.fail(true, store)
            try await store.change(bought, #""act": "ask_consumption""#)
            try await store.change(bought, #""act": "decline_refund""#)
            try await eventually("the decision has come") {
                try await house.books.count(
                    "SELECT count(*) FROM webhook_event WHERE type = 'REFUND_DECLINED' AND status = 'done'") == 1
            }
            #expect(try await store.send(.post, "/sandbox/apple/notifications/release", "{}").status == 200)
            try await eventually("the question has ended") { try await Self.statuses(purchase, service) == ["ended"] }
            try await house.settled()
            #expect(try await Self.told(bought, at: store).isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `Google is told once what the shop would do, and with consent how much was used`() async throws {
        try await House.openGooglePlay(Self.atOnce) { house, store, service in
            try await store.tell(service)
            var purchases: [(bought: GooglePlaySandbox.Bought, id: Int64)] = []
            for _ in 1...2 {
                let bought = try await store.buy()
                let credited = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
                purchases.append((bought, try #require(credited.json["purchase"]["id"].integer, "\(credited)")))
            }
            func reviews(_ bought: GooglePlaySandbox.Bought) async throws -> [JSON] {
                try await store.send(.get, "/sandbox/google/purchases/\(bought.token)").json["reviews"].elements
            }
            // The message comes twice.
            let twice = #"[{"act": "duplicate", "type": "pendingRefundReviewNotification"}]"#
            #expect(try await store.send(.put, "/sandbox/google/messages/plan", twice).status == 200)
            try await store.change(purchases[0].bought, #""act": "ask_review""#)
            try await eventually("it is answered without consent") {
                try await Self.statuses(purchases[0].id, service) == ["answered"]
            }
            try await house.settled()
            let first = try await reviews(purchases[0].bought)
            #expect(first.count == 1 && first.first?["answers"].elements.count == 1, "\(first)")
            #expect("\(first)".contains("NEUTRAL") && !"\(first)".contains("Milliunits"), "\(first)")

            #expect(try await Self.consent(service).status == 200)
            // The first lots are used up first.
            try await Self.spend(140, service)
            try await store.change(purchases[1].bought, #""act": "ask_review""#)
            try await eventually("the next one is answered, too") {
                try await Self.statuses(purchases[1].id, service) == ["answered"]
            }
            let second = "\(try await reviews(purchases[1].bought))"
            #expect(second.contains("NEUTRAL") && second.contains("40000"), "\(second)")

            try await store.change(purchases[1].bought, #""act": "refund""#)
            try await eventually("the void ends it") {
                try await Self.shown(purchases[1].id, service)["refund_questions"].elements[0]["outcome"] == "refunded"
            }
            try await house.expectSound()
        }
    }
}
