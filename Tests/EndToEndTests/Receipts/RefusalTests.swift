import TestSupport
import Testing

/// What is not a good receipt is refused with a code of its own, and nothing is credited.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RefusalTests {
    /// Each begins where the one before ends.
    private static let cases: [(name: String, check: @Sendable (House, Gateway, Service) async throws -> Void)] = [
        ("a body that is no receipt is refused", noReceipt),
        ("a request without a valid token is refused", noToken),
        ("a request that no route serves is refused", noRoute),
        ("what the gateway says of the payment refuses it", noPurchase),
        ("an amount that was no price when it was paid is refused with the prices then", noPrice),
        ("another user's receipt is refused", anothersReceipt),
        ("a payment that waits for money is kept", waitsForMoney),
    ]

    @Test func `what is no good receipt or request is refused with its code`() async throws {
        try await House.open { house, gateway, service in
            for (name, check) in Self.cases {
                await house.check(name) { try await check(house, gateway, service) }
            }
        }
    }

    private static func noPurchase(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let good = try await service.present(try await gateway.pay())
        #expect(good.status == 201)
        let postings = try await house.books.postings

        func expect(_ status: Int, _ code: String, of payment: Payment) async throws {
            let answer = try await service.present(payment, by: "bob")
            #expect(answer.status == status && answer.code == code, "\(code): \(answer)")
            #expect(answer.isProblem, "\(answer)")
            #expect(answer.json["retryable"] == false)
        }
        try await expect(404, "payment_not_found", of: .unmade())
        try await expect(422, "payment_failed", of: try await gateway.pay("1000", #", "status": "failed""#))
        try await expect(422, "payment_cancelled", of: try await gateway.pay("1000", #", "status": "cancelled""#))
        try await expect(
            422, "payment_partially_cancelled",
            of: try await gateway.pay("1000", #", "status": "cancelled", "cancel_amount": 400"#))
        try await expect(422, "amount_mismatch", of: try await gateway.pay("999"))
        try await expect(422, "amount_mismatch", of: try await gateway.pay("10000000"))
        // The same number in another currency's units, and the same number of its minor units.
        try await expect(422, "currency_mismatch", of: try await gateway.pay("1000", #", "currency": "USD""#))
        try await expect(422, "currency_mismatch", of: try await gateway.pay("10.00", #", "currency": "USD""#))
        try await expect(404, "payment_not_found", of: try await gateway.pay("1000", #", "sandbox": true"#))
        let paid = try await gateway.pay()
        try await expect(
            404, "payment_not_found", of: Payment(impUID: paid.impUID, merchantUID: "another-order"))

        #expect(try await house.books.postings == postings)
        #expect(try await service.coins(of: "bob") == 0)
        #expect(try await house.books.receipts("waiting") == 0)
    }

    private static func noPrice(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        try await house.books.execute(
            """
            INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from, active_until)
            VALUES ('coins_200', '200 Coin', 2000, 'KRW', 200, 0, '2020-01-01T00:00Z', '2020-01-02T00:00Z')
            """)
        let never = try await service.present(try await gateway.pay("999"))
        let retired = try await service.present(try await gateway.pay("2000"))
        for (answer, paid) in [(never, Int64(999)), (retired, 2000)] {
            #expect(answer.status == 422 && answer.code == "amount_mismatch", "\(answer)")
            #expect(answer.json["paid_amount"].integer == paid && answer.json["currency"] == "KRW", "\(answer)")
            #expect(answer.json["prices_then"].elements.map(\.integer) == [1000, 5000], "\(answer)")
            let detail = "\(paid) KRW was paid at \(answer.json["paid_at"].text ?? ""); no product had that price then"
            #expect(answer.json["detail"].text?.hasPrefix(detail) == true, "\(answer)")
        }
        #expect(never.json["product"].text == nil)
        #expect(retired.json["product"] == "coins_200" && retired.json["sold_until"] == "2020-01-02T00:00:00.000Z")
    }

    private static func waitsForMoney(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let postings = try await house.books.postings
        let payment = try await gateway.pay("1000", #", "status": "ready", "pay_method": "vbank""#)
        let answer = try await service.present(payment)
        #expect(answer.status == 202, "\(answer)")
        #expect(answer.code == "awaiting_payment")
        #expect(answer.json["retryable"] == true)
        #expect(answer.headers["Retry-After"] != nil)
        #expect(try await house.books.postings == postings)
        #expect(try await house.books.receipts("waiting") == 1)
    }

    private static func anothersReceipt(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let payment = try await gateway.pay()
        let first = try await service.present(payment, by: "ann")
        #expect(first.status == 201)
        let postings = try await house.books.postings
        let answer = try await service.present(payment, by: "bob")
        #expect(answer.status == 409 && answer.code == "receipt_belongs_to_another_user", "\(answer)")
        #expect(answer.isProblem)
        #expect(!answer.text.contains("ann"), "it must not show whose it is")
        let mistaken = try await service.present(
            Payment(impUID: payment.impUID, merchantUID: "another-order"), by: "ann")
        #expect(mistaken.status == 422 && mistaken.code == "merchant_uid_mismatch", "\(mistaken)")

        let id = sure(first.purchase["id"].integer)
        let purchase = try await service.get("/v1/me/purchases/\(id)", as: Token.user("bob"))
        #expect(purchase.status == 404 && purchase.code == "not_found" && purchase.isProblem, "\(purchase)")
        #expect(try await house.books.postings == postings)
    }

    private static func noReceipt(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let paid = try await gateway.pay()
        let id = paid.impUID
        let tooLarge = #"{"imp_uid": "\#(id)", "merchant_uid": "\#(String(repeating: "m", count: 65536))"}"#
        let bodies: [(body: String, status: Int, code: String, pointer: String?)] = [
            (#"{"imp_uid": "\#(id)", "merchant_uid": "#, 400, "malformed_json", nil),
            ("", 400, "malformed_json", nil),
            ("{\"imp_uid\": \"\0\"}", 400, "malformed_json", nil),
            (#"["imp_uid"]"#, 400, "wrong_type", ""),
            (#"{"merchant_uid": "\#(paid.merchantUID)"}"#, 400, "missing_member", "/imp_uid"),
            (#"{"imp_uid": "\#(id)"}"#, 400, "missing_member", "/merchant_uid"),
            (#"{"imp_uid": "\#(id)", "merchant_uid": null}"#, 400, "missing_member", "/merchant_uid"),
            (#"{"imp_uid": "", "merchant_uid": "\#(paid.merchantUID)"}"#, 400, "missing_member", "/imp_uid"),
            (#"{"imp_uid": 1, "merchant_uid": "\#(paid.merchantUID)"}"#, 400, "wrong_type", "/imp_uid"),
            (#"{"imp_uid": "../x", "merchant_uid": "\#(paid.merchantUID)"}"#, 400, "invalid_request", "/imp_uid"),
            (tooLarge, 413, "body_too_large", nil),
        ]
        for (body, status, code, pointer) in bodies {
            let answer = try await service.post("/v1/receipts", body, as: Token.user("ann"))
            #expect(answer.status == status && answer.code == code, "\(body.prefix(80)): \(answer)")
            #expect(answer.json["pointer"].text == pointer, "\(body.prefix(80)): \(answer)")
            #expect(answer.isProblem, "\(answer)")
        }
        #expect(try await house.books.postings == 0)
        #expect(try await gateway.journal("/payments").isEmpty, "the gateway is not asked about nonsense")
    }

    private static func noToken(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let payment = try await gateway.pay()
        let tokens: [(token: String?, status: Int, code: String)] = [
            (nil, 401, "token_missing"),
            ("nonsense", 401, "token_invalid"),
            (Token.make(sub: "ann", scope: "user", lifetime: -1), 401, "token_expired"),
            (Token.make(sub: "ann", scope: "user", secret: Token.secret + "!"), 401, "token_invalid"),
            (Token.make(sub: "ann", scope: "user", algorithm: "none"), 401, "token_invalid"),
            (Token.make(sub: "ann", scope: "user", algorithm: "HS512"), 401, "token_invalid"),
            (Token.make(sub: "", scope: "user"), 401, "token_invalid"),
            (Token.service(), 403, "forbidden"),
            (Token.make(sub: "ann", scope: "finance"), 403, "forbidden"),
            (Token.make(sub: "ann", scope: ""), 403, "forbidden"),
        ]
        for (token, status, code) in tokens {
            for path in ["/v1/receipts", "/v1/me/balance", "/v1/me/purchases/1"] {
                let answer =
                    if path == "/v1/receipts" {
                        try await service.post(path, payment.receipt, as: token)
                    } else {
                        try await service.get(path, as: token)
                    }
                #expect(answer.status == status && answer.code == code, "\(path): \(answer)")
                #expect(answer.isProblem, "\(answer)")
                #expect(answer.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true, "\(answer)")
            }
        }
        for path in ["/v1/users/ann/balance", "/v1/users/ann/statement"] {
            let answer = try await service.get(path, as: Token.user("ann"))
            #expect(answer.status == 403 && answer.code == "forbidden" && answer.isProblem, "\(answer)")
        }
        #expect(try await house.books.postings == 0)
    }

    private static func noRoute(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let token = Token.user("ann")
        let unknown = try await service.get("/v1/nothing", as: token)
        #expect(unknown.status == 404 && unknown.code == "not_found" && unknown.isProblem, "\(unknown)")
        for id in ["0", "-1", "1", "99999999999999999999", "abc"] {
            let answer = try await service.get("/v1/me/purchases/\(id)", as: token)
            #expect(answer.status == 404 && answer.code == "not_found" && answer.isProblem, "\(id): \(answer)")
        }
        let method = try await service.send(.delete, "/v1/receipts", as: token)
        #expect(method.status == 405 && method.code == "method_not_allowed" && method.isProblem, "\(method)")
        #expect(method.headers["Allow"] == "GET, HEAD, POST")
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=euc-kr"] {
            let answer = try await service.send(
                .post, "/v1/receipts", as: token, headers: [("Content-Type", type)], body: "{}")
            #expect(answer.status == 415 && answer.code == "unsupported_media_type", "\(type): \(answer)")
            #expect(answer.isProblem)
        }
        let named = try await service.send(.get, "/v1/nothing", headers: [("X-Request-Id", "from-the-caller.1")])
        #expect(named.headers["X-Request-Id"] == "from-the-caller.1")
        #expect(named.json["request_id"] == "from-the-caller.1")
        let forged = try await service.send(.get, "/v1/products", headers: [("X-Request-Id", "a b;c")])
        #expect(forged.status == 200)
        #expect(forged.headers["X-Request-Id"]?.count == 32)
    }
}
