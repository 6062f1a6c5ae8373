import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct ControlTests {
    @Test func `a payment made by hand is answered with its names`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let answer = try await sandbox.send(
                .post, "/sandbox/payments", json: #"{"merchant_uid": "order-1", "amount": 1000}"#)
            #expect(answer.status == 201)
            #expect(answer["merchant_uid"] == .string("order-1") && answer["payment_id"] == .string("order-1"))
            #expect(answer["status"] == .string("paid") && answer["imp_uid"].text.hasPrefix("imp_"))
        }
    }

    @Test(arguments: [
        ("", "body"), ("[]", "body"), (#"{"amount": 1}"#, "merchant_uid"), (#"{"merchant_uid": "o"}"#, "amount"),
        (#"{"merchant_uid": "", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "12345678901234567890123456789012345678901", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "o", "amount": "1"}"#, "amount"), (#"{"merchant_uid": "o", "amount": -1}"#, "amount"),
        (#"{"merchant_uid": "o", "amount": 1.5}"#, "amount"),
        (#"{"merchant_uid": "o", "amount": 1.555, "currency": "USD"}"#, "amount"),
        (#"{"merchant_uid": "o", "amount": 1, "currency": "krw"}"#, "currency"),
        (#"{"merchant_uid": "o", "amount": 1, "status": "payed"}"#, "status"),
        (#"{"merchant_uid": "o", "amount": 1, "sandbox": "yes"}"#, "sandbox"),
        (#"{"merchant_uid": "o", "amount": 1, "fail_reason": "x"}"#, "fail_reason"),
        (#"{"merchant_uid": "o", "amount": 1, "cancel_amount": 1}"#, "cancel_amount"),
        (#"{"merchant_uid": "o", "amount": 1, "pay_method": "123456789012345678901"}"#, "pay_method"),
        (#"{"merchant_uid": "o", "amount": 1, "imp_uid": "123456789012345678901234567890123"}"#, "imp_uid"),
        (#"{"merchant_uid": "o", "amount": 1, "ammount": 2}"#, "ammount"),
        (#"{"payment_id": "", "amount": 1}"#, "payment_id"),
        (#"{"merchant_uid": "o", "payment_id": "o", "amount": 1, "version": "both"}"#, "payment_id"),
        (#"{"merchant_uid": "o", "amount": 1, "version": "V3"}"#, "version"),
        (#"{"merchant_uid": "o", "amount": 1, "transaction_id": "tx"}"#, "transaction_id"),
    ])
    func `what is wrong with a payment is named`(body: String, field: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            let answer = try await sandbox.send(.post, "/sandbox/payments", json: body)
            #expect(answer.status == 400 && answer.contentType == "application/problem+json")
            #expect(answer["field"] == .string(field) && answer["detail"].text.hasPrefix(field + " "))
        }
    }

    @Test(arguments: [
        (#""merchant_uid": "order-1""#, "V1", ["V1"]), (#""payment_id": "order-1""#, "V2", ["V2"]),
        (#""merchant_uid": "order-1", "version": "V2""#, "V2", ["V2"]),
        (#""payment_id": "order-1", "version": "V1""#, "V1", ["V1"]),
        (#""merchant_uid": "order-1", "version": "both""#, "both", ["V1", "V2"]),
        (#""payment_id": "order-1", "version": "both""#, "both", ["V1", "V2"]),
    ])
    func `a payment is of the API whose name its order has, unless its version says otherwise`(
        order: String, version: String, apis: [String]
    ) async throws {
        try await WebhookReceiver.run { sandbox, _ in
            let made = try await sandbox.send(.post, "/sandbox/payments", json: #"{\#(order), "amount": 1000}"#)
            #expect(made.status == 201 && made["version"] == .string(version))
            #expect(made["merchant_uid"] == .string("order-1") && made["payment_id"] == .string("order-1"))
            let v1 = try await sandbox.call(.get, "/payments/\(made["imp_uid"].text)")
            #expect(v1.status == (apis.contains("V1") ? 200 : 404))
            let v2 = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(v2["version"] == .string(apis.contains("V2") ? "V2" : "V1"))
            let reported = try await sandbox.send(.get, "/sandbox/webhooks")["deliveries"].elements
            #expect(Set(reported.map { $0["api"].text }) == Set(apis))
        }
    }

    @Test func `many payments alike are made in one request, numbered and apart`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let body = #"""
                {"merchant_uid": "o", "imp_uid": "imp_o", "amount": 1000, "started_at": 1700000000,
                 "paid_at": 1700000000, "count": 3, "seconds_apart": 60}
                """#
            let answer = try await sandbox.send(.post, "/sandbox/payments", json: body)
            #expect(answer.status == 201 && answer["count"] == .int(3))
            let last = try await sandbox.call(.get, "/payments/imp_o-3")
            #expect(last["response"]["merchant_uid"] == .string("o-3"))
            #expect(last["response"]["paid_at"] == .int(1_700_000_120))
            #expect(try await sandbox.send(.post, "/sandbox/payments", json: body).status == 409)
            for wrong in [#""count": 0"#, #""count": 100001"#, #""count": 2, "seconds_apart": -1"#] {
                let answer = try await sandbox.send(
                    .post, "/sandbox/payments", json: #"{"merchant_uid": "p", "amount": 1, \#(wrong)}"#)
                #expect(answer.status == 400, "\(wrong): \(answer.text)")
            }
        }
    }

    @Test func `an order that was paid isn't paid again`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.pay(#""amount": 1000, "status": "failed""#)
            _ = try await sandbox.pay(#""amount": 1000, "status": "ready""#)
            let paid = try await sandbox.pay()
            let body = #"{"merchant_uid": "order-1", "amount": 1000}"#
            #expect(try await sandbox.send(.post, "/sandbox/payments", json: body).status == 409)
            _ = try await sandbox.send(.patch, "/sandbox/payments/\(paid)", json: #"{"status": "cancelled"}"#)
            #expect(try await sandbox.send(.post, "/sandbox/payments", json: body).status == 409)
        }
    }

    @Test func `a deposit pays a virtual account, and the console cancels it in parts`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay(#""amount": 1000, "status": "ready", "pay_method": "vbank""#)
            func patch(_ body: String) async throws -> Answer {
                try await sandbox.send(.patch, "/sandbox/payments/\(impUID)", json: body)
            }
            #expect(try await patch(#"{"status": "cancelled"}"#)["field"] == .string("status"))
            sandbox.clock.advance(by: 86_400)
            #expect(try await patch(#"{"status": "paid"}"#)["status"] == .string("paid"))
            let paid = try await sandbox.call(.get, "/payments/\(impUID)")["response"]
            #expect(paid["started_at"] == .int(1_700_000_000) && paid["paid_at"] == .int(1_700_086_400))
            #expect(paid["vbank_date"] == .int(1_700_000_000 + 3 * 86_400))
            #expect(try await patch(#"{"status": "ready"}"#).status == 400)
            #expect(try await patch(#"{"status": "cancelled", "cancel_amount": 300}"#)["cancel_amount"] == .int(300))
            #expect(try await patch(#"{"status": "cancelled", "cancel_amount": 701}"#).status == 400)
            #expect(try await patch(#"{"status": "cancelled"}"#)["cancel_amount"] == .int(1000))
            #expect(try await patch(#"{"status": "cancelled"}"#)["cancel_amount"] == .int(1000))
            #expect(try await patch(#"{"status": "paid"}"#).status == 400)
            #expect(try await patch("{}")["field"] == .string("status"))
            let unknown = try await sandbox.send(.patch, "/sandbox/payments/imp_0", json: #"{"status": "paid"}"#)
            #expect(unknown.status == 404)
        }
    }

    @Test func `the journal lists every request with its answer, and no secret`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.call(.get, "/payments/imp_0?include_sandbox=true")
            _ = try await sandbox.send(.get, "/x?a=b&imp_secret=sandbox-secret")
            let answer = try await sandbox.send(.get, "/sandbox/journal")
            #expect(answer.text.contains("a=b&imp_secret=****"))
            #expect(!answer.text.contains("sandbox-secret") && !answer.text.contains("sandbox-key"))
            let requests = answer["requests"].elements
            #expect(requests.map { $0["path"].text } == ["/users/getToken", "/payments/imp_0", "/x"])
            #expect(requests.map { $0["status"] } == [.int(200), .int(404), .int(404)])
            #expect(requests.map { $0["method"].text } == ["POST", "GET", "GET"])
            #expect(requests[1]["query"] == .string("include_sandbox=true"))
            #expect(requests[1]["authorization"] == .string("bare"))
            #expect(requests.first?["at"] == .string("2023-11-14T22:13:20.000Z"))
            let later = try await sandbox.send(.get, "/sandbox/journal?after=1&path=/payments")
            #expect(later["requests"].elements.count == 1)
            #expect(try await sandbox.send(.get, "/sandbox/journal?after=x").status == 400)
        }
    }

    @Test func `the journal forgets the oldest`() async throws {
        let journal = RequestJournal(capacity: 16, masks: .portOne, now: { Date(timeIntervalSince1970: 0) })
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/x"),
            body: RequestBody(buffer: ByteBuffer()))
        for id in 1...100 {
            #expect(await journal.record(request, ByteBuffer(), connection: nil) == id)
            await journal.answered(id, status: 200)
        }
        let listed = await journal.list(after: 0, prefix: "")["requests"].elements
        #expect(listed.map { $0["id"].integer } == Array(85...100))
        #expect(listed.allSatisfy { $0["status"] == .int(200) })
    }
}

@Suite(.timeLimit(.minutes(20))) struct FaultTests {
    @Test(arguments: [
        ("{}", "kind"), (#"{"kind": "odd"}"#, "kind"), (#"{"kind": "reset", "times": -1}"#, "times"),
        (#"{"kind": "reset", "times": 1.5}"#, "times"), (#"{"kind": "status", "status": 99}"#, "status"),
        (#"{"kind": "slow", "delay_ms": 600001}"#, "delay_ms"), (#"{"kind": "reset", "path": "payments"}"#, "path"),
        (#"{"kind": "reset", "count": 1}"#, "count"), ("3", "body"), ("", "body"),
    ])
    func `what is wrong with a fault is named`(body: String, field: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            let answer = try await sandbox.send(.put, "/sandbox/faults", json: body)
            #expect(answer.status == 400 && answer["field"] == .string(field))
        }
    }

    @Test func `a fault strikes its path as often as requested`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.send(
                .put, "/sandbox/faults", json: #"{"kind": "status", "status": 503, "times": 2, "path": "/payments"}"#)
            let statuses = try await [1, 2, 3].asyncMap { _ in try await sandbox.call(.get, "/payments/imp_0").status }
            #expect(statuses == [503, 503, 404])
            let struck = try await sandbox.send(.get, "/sandbox/journal?path=/payments")["requests"].elements
            #expect(struck.map { $0["fault"] } == [.string("status"), .string("status"), .null])
        }
    }

    @Test func `answers come late and unchanged, for as long as requested`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.pay()
            let impUID = try await sandbox.send(.get, "/sandbox/payments/order-1")["imp_uid"].text
            func look() async throws -> (status: Int, took: Duration) {
                let start = ContinuousClock.now
                return (try await sandbox.call(.get, "/payments/\(impUID)").status, .now - start)
            }
            let delay = #"{"kind": "delay", "path": "/payments", "times": 1000, "delay_ms": 120}"#
            _ = try await sandbox.send(.put, "/sandbox/faults", json: delay)
            for _ in 1...2 {
                let late = try await look()
                #expect(late.status == 200 && late.took >= .milliseconds(120))
            }
            _ = try await sandbox.send(.put, "/sandbox/faults", json: #"{"path": "/payments", "times": 0}"#)
            #expect(try await look().status == 200)
            let struck = try await sandbox.send(.get, "/sandbox/journal?path=/payments")["requests"].elements
            #expect(struck.map { $0["fault"] } == [.string("delay"), .string("delay"), .null])
        }
    }

    @Test func `faults are replaced by path, cleared by zero, and worked off in order`() async throws {
        try await SandboxUnderTest.run { sandbox in
            func put(_ body: String) async throws -> [String] {
                let answer = try await sandbox.send(.put, "/sandbox/faults", json: body)
                return answer["faults"].elements.map { $0["path"].text + $0["kind"].text }
            }
            #expect(try await put(#"{"kind": "reset", "path": "/a"}"#) == ["/areset"])
            #expect(try await put(#"{"kind": "garbage", "path": "/a"}"#) == ["/agarbage"])
            #expect(try await put(#"{"kind": "slow"}"#) == ["/agarbage", "*slow"])
            #expect(try await put(#"{"path": "/a", "times": 0}"#) == ["*slow"])
            #expect(try await put(#"{"kind": "reset", "path": "*", "times": 0}"#) == [])
            #expect(
                try await put(#"[{"kind": "garbage"}, {"kind": "refusal"}]"#) == ["*garbage", "*refusal"])
            #expect(try await sandbox.send(.get, "/payments/imp_0").contentType == "text/html")
            let refused = try await sandbox.send(.get, "/payments/imp_0")
            #expect(refused.status == 200 && refused.code == .int(-1))
        }
    }

    @Test func `an expired token is thrown away, and the next one is new`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let old = try await sandbox.token()["access_token"].text
            _ = try await sandbox.send(.put, "/sandbox/faults", json: #"{"kind": "token_expired"}"#)
            let answer = try await sandbox.send(.get, "/payments/imp_0", authorization: old)
            #expect(answer.status == 401)
            #expect(try await sandbox.token()["access_token"].text != old)
        }
    }

    @Test func `a fault strikes V2 in V2's words, and by method`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2()
            let cancel = "/payments/order-1/cancel"
            for (fault, status, type) in [
                (#"{"kind": "refusal", "path": "/payments/*/cancel"}"#, 502, "PG_PROVIDER"),
                (#"{"kind": "token_expired", "method": "POST"}"#, 401, "UNAUTHORIZED"),
                (#"{"kind": "status", "status": 500, "path": "/payments/order"}"#, 500, ""),
            ] {
                _ = try await sandbox.send(.put, "/sandbox/faults", json: fault)
                if type != "" { #expect(try await sandbox.callV2(.get, "/payments/order-1").status == 200) }
                let answer = try await sandbox.callV2(.post, cancel, json: #"{"reason": "r"}"#)
                #expect(answer.status == status && answer["type"].text == type, "\(fault)")
            }
            #expect(try await sandbox.callV2(.get, "/payments/order-1")["status"] == .string("PAID"))
        }
    }

    @Test func `a timeout carries the request out before it falls silent`() async throws {
        try await SandboxUnderTest.run(.live) { sandbox in
            let impUID = try await sandbox.pay()
            _ = try await sandbox.send(
                .put, "/sandbox/faults", json: #"{"kind": "timeout", "path": "/payments/cancel", "delay_ms": 50}"#)
            await #expect(throws: (any Error).self) {
                try await sandbox.call(.post, "/payments/cancel", json: #"{"imp_uid": "\#(impUID)"}"#)
            }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
