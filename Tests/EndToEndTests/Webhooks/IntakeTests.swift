import TestSupport
import Testing

/// Events are stored before they are answered, if they may come from the gateway.
@Suite(.serialized, .timeLimit(.minutes(20))) struct IntakeTests {
    @Test func `a V1 event is stored before it is answered`() async throws {
        try await House.with { house in
            let service = try await house.serve()
            let forms = [
                ("application/json", #"{"imp_uid": "imp_1", "merchant_uid": "o-1", "status": "paid"}"#),
                ("application/x-www-form-urlencoded", "imp_uid=imp_2&merchant_uid=o%2D2&status=paid"),
                ("text/plain", #"{"imp_uid": "imp_3", "merchant_uid": "o-3", "status": "never heard of"}"#),
                ("application/json", #"{"imp_uid": "imp_4", "merchant_uid": "o-4"}"#),
            ]
            for (number, (type, body)) in forms.enumerated() {
                let answer = try await service.tellV1(body, type: type)
                #expect(try await house.books.events == Int64(number + 1))
                #expect(answer.status == 200 && answer.json["status"] == "stored", "\(answer)")
            }
            #expect(
                try await house.books.texts(
                    "SELECT concat_ws(' ', gateway, imp_uid, merchant_uid) FROM webhook_event ORDER BY id")
                    == (1...4).map { "portone-v1 imp_\($0) o-\($0)" })
        }
    }

    @Test func `a body that is no event is refused`() async throws {
        try await House.with { house in
            let service = try await house.serve(Hooks.v2Settings())
            let bodies = [
                "", "{", "[]", "{}", "nonsense", #"{"imp_uid": "imp_1"}"#, #"{"merchant_uid": "o-1"}"#,
                #"{"imp_uid": 1, "merchant_uid": "o-1"}"#, #"{"imp_uid": "", "merchant_uid": "o-1"}"#,
                "imp_uid=imp_1", "imp_uid=imp_1&imp_uid=imp_2&merchant_uid=o-1", "imp_uid=%zz&merchant_uid=o-1",
                "imp_uid=%ff&merchant_uid=o-1",
            ]
            for body in bodies {
                let answer = try await service.tellV1(body)
                #expect(
                    answer.status == 400 && answer.code == "invalid_request" && answer.isProblem, "\(body): \(answer)")
            }
            for body in [
                "", "{}", "[]", #"{"type": "Transaction.Paid", "data": {}}"#, #"{"type": "Transaction.Paid"}"#,
            ] {
                let answer = try await service.tellV2(SignedHook(body))
                #expect(
                    answer.status == 400 && answer.code == "invalid_request" && answer.isProblem, "\(body): \(answer)")
            }
            let long = #"{"imp_uid": "\#(String(repeating: "i", count: 1 << 20))", "merchant_uid": "o-1"}"#
            let tooLarge = try await service.tellV1(long)
            #expect(tooLarge.status == 413 && tooLarge.code == "body_too_large" && tooLarge.isProblem, "\(tooLarge)")
            #expect(try await house.books.events == 0)
        }
    }

    @Test func `text that the database can't store is no fault of the service`() async throws {
        try await House.open { house, gateway, service in
            let bodies = [
                #"{"imp_uid": "imp_\u0000", "merchant_uid": "o-1", "status": "paid"}"#,
                #"{"imp_uid": "imp_1", "merchant_uid": "o\u0000", "status": "paid"}"#,
                #"{"imp_uid": "imp_1", "merchant_uid": "o-1", "status": "pa\u0000id"}"#,
                "imp_uid=imp_%00&merchant_uid=o-1", #"{"imp_uid": "../x", "merchant_uid": "\ud800"}"#,
                #"{"imp_uid": "\#(String(repeating: "i", count: 10_000))", "merchant_uid": "o-1"}"#,
            ]
            for body in bodies {
                let answer = try await service.tellV1(body)
                #expect([200, 400].contains(answer.status), "\(body.prefix(80)): \(answer)")
            }
            // What was kept all the same is worked off and ends.
            try await eventually("no event waits") {
                try await house.books.makeAllDue()
                return try await house.books.events("waiting") == 0
            }
            #expect(try await house.books.postings == 0)
        }
    }

    @Test func `a signed event is stored once`() async throws {
        try await House.with { house in
            let service = try await house.serve(Hooks.v2Settings())
            let hook = SignedHook("Transaction.Paid", paymentID: "p-1", id: "msg-1")
            let first = try await service.tellV2(hook)
            #expect(try await house.books.events == 1)
            #expect(first.status == 200 && first.json["status"] == "stored", "\(first)")
            let again = SignedHook("Transaction.Paid", paymentID: "p-1", id: "msg-1")
            for repeated in [hook, again] {
                let answer = try await service.tellV2(repeated)
                #expect(answer.status == 200 && answer.json["status"] == "known", "\(answer)")
            }
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await service.tellV2(SignedHook("Transaction.Paid", paymentID: "p-2", id: "msg-2"))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.count { $0.json["status"] == "stored" } == 1)
            #expect(try await house.books.events == 2)
        }
    }

    @Test func `an event of an unknown kind is accepted and ignored`() async throws {
        try await House.with { house in
            let service = try await house.serve(Hooks.v2Settings())
            for body in [
                #"{"type": "BillingKey.Issued", "data": {"billingKey": "b"}}"#, #"{"type": "Something.New"}"#,
                #"{"type": "Transaction.SomethingNew", "data": {}}"#,
            ] {
                let answer = try await service.tellV2(SignedHook(body))
                #expect(answer.status == 200 && answer.json["status"] == "stored", "\(answer)")
            }
            try await eventually("all are ignored") { try await house.books.events("ignored") == 3 }
        }
    }

    @Test func `an event that the gateway did not sign is refused`() async throws {
        try await House.with { house in
            let service = try await house.serve(Hooks.v2Settings())
            let body = #"{"type": "Transaction.Paid", "data": {"paymentId": "p-1"}}"#
            var otherVersion = SignedHook(body)
            otherVersion.version = "v2"
            let hooks = [
                SignedHook(body, secret: Hooks.nextSecret), SignedHook(body, age: 400), SignedHook(body, age: -400),
                otherVersion,
            ]
            for hook in hooks {
                let answer = try await service.tellV2(hook)
                #expect(answer.status == 401 && answer.code == "signature_invalid" && answer.isProblem, "\(answer)")
            }
            for header in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
                let answer = try await service.tellV2(SignedHook(body), leavingOut: header)
                #expect(answer.status == 401 && answer.code == "signature_invalid", "\(header): \(answer)")
            }
            #expect(try await house.books.events == 0)
        }
    }

    @Test func `both secrets are valid while one is replaced`() async throws {
        try await House.with { house in
            let service = try await house.serve(Hooks.v2Settings(secret: Hooks.secret + "," + Hooks.nextSecret))
            for secret in [Hooks.secret, Hooks.nextSecret] {
                let answer = try await service.tellV2(SignedHook(#"{"type": "Something.New"}"#, secret: secret))
                #expect(answer.status == 200, "\(answer)")
            }
            for secret in ["", ",", "whsec_", Hooks.secret + ",", "not base64"] {
                let settings = house.settings().merging(Hooks.v2Settings(secret: secret)) { $1 }
                let (exit, _, errors) = try await house.run("serve", with: settings)
                #expect(
                    exit != .code(0) && errors.contains("LEDGERD_PORTONE_V2_WEBHOOK_SECRET"), "\(secret): \(errors)")
            }
        }
    }

    @Test func `a gateway that is not configured has no address`() async throws {
        try await House.with { house in
            let withoutV2 = try await house.serve()
            let withoutSecret = try await house.serve(Hooks.v2Settings(secret: nil))
            for service in [withoutV2, withoutSecret] {
                let answer = try await service.tellV2(SignedHook("Transaction.Paid", paymentID: "p-1"))
                #expect(answer.status == 404 && answer.code == "not_found" && answer.isProblem, "\(answer)")
            }
            #expect(try await house.books.events == 0)
        }
    }

    @Test func `unsigned events are accepted from the gateway's addresses only`() async throws {
        try await House.with { house in
            let event = Hooks.v1(.unmade(), "paid")
            let sources = ["LEDGERD_WEBHOOK_SOURCES": "203.0.113.0/24, 2001:db8::/32"]
            let direct = try await house.serve(sources.merging(Hooks.v2Settings()) { $1 })
            for from in [nil, "203.0.113.7"] {
                let answer = try await direct.tellV1(event, from: from)
                #expect(answer.status == 403 && answer.code == "forbidden_source" && answer.isProblem, "\(answer)")
            }
            let signed = try await direct.tellV2(SignedHook(#"{"type": "Something.New"}"#))
            #expect(signed.status == 200, "its signature says where it comes from")

            let proxied = try await house.serve(
                sources.merging(["LEDGERD_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8"]) { $1 })
            let cases: [(from: String?, status: Int)] = [
                ("203.0.113.7", 200), ("2001:db8::1", 200), ("::ffff:203.0.113.7", 200),
                ("203.0.113.7, 10.1.2.3", 200), ("198.51.100.1,203.0.113.7", 200),
                (nil, 403), ("198.51.100.1", 403), ("203.0.113.7, 198.51.100.1", 403),
                ("203.0.113.7, 198.51.100.1, 10.1.2.3", 403), ("203.0.113.7, nonsense", 403), ("10.1.2.3", 403),
            ]
            for (from, status) in cases {
                let answer = try await proxied.tellV1(Hooks.v1(.unmade(), "paid"), from: from)
                #expect(answer.status == status, "\(from ?? "nobody"): \(answer)")
            }
            #expect(try await house.books.events == 6)
        }
    }
}
