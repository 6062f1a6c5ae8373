import TestSupport
import Testing

/// How orders are asked for, again and again too, and what is refused.
@Suite(.serialized, .timeLimit(.minutes(20))) struct OrderRequestsTests {
    @Test func `the same key is answered with the same order`() async throws {
        try await House.openBoth { house, gateway, service in
            let first = try await service.order("coins_100", key: "tap-1")
            #expect(first.status == 201 && first.headers["Idempotent-Replayed"] == nil, "\(first)")
            let again = try await service.order("coins_100", key: "tap-1")
            #expect(again.status == 201 && again.json == first.json, "\(again)")
            #expect(again.headers["Idempotent-Replayed"] == "true")
            #expect(again.headers["Location"] == first.headers["Location"])
            for reused in [
                try await service.order("coins_500", key: "tap-1"),
                try await service.order("coins_100", at: .v2, key: "tap-1"),
                try await service.order("no-such-product", key: "tap-1"),
            ] {
                #expect(
                    reused.status == 422 && reused.code == "idempotency_key_reused" && reused.isProblem, "\(reused)")
            }
            let others = try await service.order("coins_500", by: "bob", key: "tap-1")
            #expect(
                others.status == 201 && others.json["product"] == "coins_500", "keys are each user's own: \(others)")
            let keyless = try await service.order("coins_100")
            #expect(keyless.json["id"] != first.json["id"])
            #expect(try await house.books.orders == 3)

            // The product is off sale by now: the key still says what was ordered.
            try await house.books.execute("UPDATE product SET active_until = now()")
            #expect(try await service.order("coins_100", key: "tap-1").json == first.json)
            #expect(try await service.order("coins_100", key: "tap-2").code == "product_not_found")
        }
    }

    @Test(arguments: Version.allCases)
    func `many requests at once with one key make one order`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            let other = try await house.serve(at: gateway, Hooks.v2Settings(at: gateway, secret: nil))
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        try await (number % 2 == 0 ? service : other).order("coins_100", at: version, key: "tap")
                    }
                }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 }, "\(answers.map(\.status))")
            #expect(Set(answers.compactMap { $0.json["merchant_uid"].text }).count == 1)
            #expect(answers.filter { $0.headers["Idempotent-Replayed"] == nil }.count == 1)
            #expect(try await house.books.orders == 1)
        }
    }

    @Test(arguments: Version.allCases)
    func `without the gateway nothing is made, and the same key makes it later`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            await gateway.end()
            let away = try await service.order("coins_100", at: version, key: "tap")
            #expect(away.status == 503 && away.code == "gateway_unavailable" && away.isProblem, "\(away)")
            #expect(away.headers["Retry-After"] != nil && away.json["retryable"] == true)
            #expect(try await house.books.orders == 0)
            let list = try await service.get("/v1/orders", as: Token.user("ann"))
            #expect(list.json["orders"].elements.isEmpty)

            let back = try await house.startGateway(port: gateway.port)
            // The registration is carried out, and its answer lost: that name is never used.
            try await back.fail(#"{"path": "/payments", "method": "POST", "kind": "lose_answer", "times": 50}"#)
            let lost = try await service.order("coins_100", at: version, key: "tap")
            #expect(lost.status == 503 && lost.code == "gateway_unavailable", "\(lost)")
            try await back.fail(#"{"path": "*", "times": 0}"#)
            var made = try await service.order("coins_100", at: version, key: "tap")
            try await eventually("the gateway is asked again") {
                if made.status == 503 { made = try await service.order("coins_100", at: version, key: "tap") }
                return made.status == 201
            }
            #expect(made.headers["Idempotent-Replayed"] == nil)
            #expect(try await house.books.orders == 1)
            let name = try #require(made.json["merchant_uid"].text)
            #expect(try await back.attempt(name, 999, version).status == 409, "its amount is registered")
            let payment = try await back.pay(name, 1000, version)
            try await eventually("it is credited") {
                [200, 201].contains(try await service.present(payment, at: version).status)
            }
        }
    }

    @Test func `a refusal of the gateway is reported as one`() async throws {
        try await House.openBoth { house, gateway, service in
            try await gateway.fail(#"{"path": "/payments", "method": "POST", "kind": "refusal", "times": 50}"#)
            let refused = try await service.order("coins_100", at: .v2)
            #expect(refused.status == 502 && refused.code == "order_refused_by_gateway", "\(refused)")
            #expect(refused.isProblem && refused.json["retryable"] == false)
            #expect(try await house.books.orders == 0)
        }
    }

    @Test func `wrong requests are named`() async throws {
        try await House.open { house, gateway, service in
            func expect(_ status: Int, _ code: String, _ place: String?, _ answer: Answer) {
                #expect(answer.status == status && answer.code == code && answer.isProblem, "\(answer)")
                #expect((answer.json["pointer"].text ?? answer.json["member"].text) == place, "\(answer)")
            }
            expect(400, "missing_member", "/product", try await service.order(body: "{}"))
            expect(400, "missing_member", "/product", try await service.order(body: #"{"product": ""}"#))
            expect(400, "wrong_type", "/product", try await service.order(body: #"{"product": 100}"#))
            expect(400, "malformed_json", nil, try await service.order(body: "product=coins_100"))
            expect(422, "product_not_found", "/product", try await service.order("coins_1"))
            expect(422, "gateway_off", "/gateway", try await service.order("coins_100", at: .v2))
            expect(
                400, "invalid_request", "/gateway",
                try await service.order(body: #"{"product": "coins_100", "gateway": "paypal"}"#))
            expect(400, "invalid_request", "Idempotency-Key", try await service.order("coins_100", key: "naïve"))
            let long = String(repeating: "k", count: 256)
            expect(400, "invalid_request", "Idempotency-Key", try await service.order("coins_100", key: long))
            expect(401, "token_missing", nil, try await service.post("/v1/orders", #"{"product": "coins_100"}"#))
            let body = #"{"product": "coins_100"}"#
            expect(403, "forbidden", nil, try await service.post("/v1/orders", body, as: Token.service()))
            expect(404, "not_found", nil, try await service.get("/v1/orders/1", as: Token.user("ann")))
            expect(404, "not_found", nil, try await service.get("/v1/orders/x", as: Token.user("ann")))
            expect(
                400, "invalid_request", "cursor", try await service.get("/v1/orders?cursor=x", as: Token.user("ann")))
            expect(405, "method_not_allowed", nil, try await service.send(.delete, "/v1/orders/1"))
            #expect(try await gateway.journal("/payments").isEmpty, "the gateway hears of none of it")
            #expect(try await house.books.orders == 0)
        }
    }

    @Test func `a user lists only their own orders`() async throws {
        try await House.open { house, _, service in
            var ids: [JSON] = []
            for _ in 0..<3 { ids.append(try await service.order("coins_100").json["id"]) }
            let others = try await service.order("coins_100", by: "bob").json["id"]
            let first = try await service.get("/v1/orders?limit=2", as: Token.user("ann"))
            #expect(first.json["orders"].elements.map { $0["id"] } == [ids[2], ids[1]])
            #expect(first.json["has_more"] == true && first.headers["Link"]?.contains("rel=\"next\"") == true)
            let cursor = try #require(first.json["next_cursor"].text)
            let second = try await service.get("/v1/orders?limit=2&cursor=\(cursor)", as: Token.user("ann"))
            #expect(second.json["orders"].elements.map { $0["id"] } == [ids[0]])
            #expect(second.json["has_more"] == false)
            let id = try #require(others.integer)
            #expect(try await service.get("/v1/orders/\(id)", as: Token.user("ann")).status == 404)
            #expect(try await service.get("/v1/orders/\(id)", as: Token.user("bob")).status == 200)
        }
    }

    @Test func `a user with too many open orders has to wait`() async throws {
        try await House.open { house, gateway, service in
            try await house.books.execute(
                """
                INSERT INTO "order" (
                    merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at)
                SELECT n::text, 'ann', 'portone-v1', 'coins_100', 1000, 'KRW', 100, 0, now() + interval '1 hour'
                FROM generate_series(1, 1000) AS n
                """)
            let refused = try await service.order("coins_100")
            #expect(refused.status == 429 && refused.code == "too_many_orders" && refused.isProblem, "\(refused)")
            #expect(refused.headers["Retry-After"] != nil)
            #expect(try await service.order("coins_100", by: "bob").status == 201)
        }
    }
}
