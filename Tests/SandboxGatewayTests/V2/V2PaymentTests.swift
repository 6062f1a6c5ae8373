import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct V2PaymentTests {
    @Test func `a payment is written as V2 writes it`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(#""amount": 1000, "name": "코인 100/개", "custom_data": {"user": "u1"}"#)
            let answer = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(answer.status == 200 && answer.contentType == "application/json")
            #expect(answer["status"] == .string("PAID") && answer["version"] == .string("V2"))
            #expect(answer["orderName"] == .string("코인 100/개") && answer.text.contains("코인 100/개"))
            #expect(answer["customData"] == .string(#"{"user":"u1"}"#))
            #expect(answer["amount"]["total"] == .int(1000) && answer["amount"]["vat"] == .int(91))
            #expect(answer["amount"]["supply"] == .int(909) && answer["amount"]["cancelled"] == .int(0))
            #expect(answer["paidAt"] == .string("2023-11-14T22:13:20Z"))
            #expect(answer["requestedAt"] == .string("2023-11-14T22:13:20.000000000Z"))
            #expect(answer["channel"]["type"] == .string("LIVE") && answer["storeId"] == .string("store-sandbox"))
            #expect(answer["transactionId"].text.count == 36 && answer["disputes"] == .array([]))
            #expect(!answer.text.contains("null"))
        }
    }

    @Test func `amounts are in the smallest unit`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(#""amount": 14.2, "currency": "USD""#)
            let answer = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(answer["amount"]["total"] == .int(1420) && answer.text.contains(#""total":1420,"#))
        }
    }

    @Test func `what isn't paid still says what is to be paid, and a test payment is shown`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(
                #""amount": 1000, "status": "failed", "fail_reason": "한도초과", "sandbox": true"#)
            let failed = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(failed["status"] == .string("FAILED") && failed["amount"]["paid"] == .int(1000))
            #expect(failed["failure"]["reason"] == .string("한도초과"))
            #expect(failed["channel"]["type"] == .string("TEST"))
            _ = try await sandbox.payV2(#""amount": 1000, "status": "READY""#)
            let ready = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(ready["status"] == .string("READY") && ready["amount"]["paid"] == .int(1000))
            #expect(ready["transactionId"] != failed["transactionId"] && ready["channel"] == .null)
            let attempts = try await sandbox.callV2(.get, "/payments/order-1/transactions")
            #expect(attempts["items"].elements.map { $0["status"].text } == ["READY", "FAILED"])
        }
    }

    @Test func `a payment belongs to the API it was begun through`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let first = try await sandbox.pay()
            let seen = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(seen["version"] == .string("V1") && seen["transactionId"] == .string(first))
            let second = try await sandbox.payV2(paymentID: "order-2")
            #expect(try await sandbox.call(.get, "/payments/\(second)").status == 404)
            #expect(try await sandbox.call(.get, "/payments/find/order-2").status == 404)
            #expect(try await sandbox.call(.get, "/payments/status/all")["response"]["total"] == .int(1))
            #expect(try await sandbox.callV2(.get, "/payments/order-2").status == 200)
        }
    }

    @Test func `another store's payment isn't found, and a stranger's store is forbidden`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(#""amount": 1000, "store_id": "store-other""#)
            for (path, status, type) in [
                ("order-1", 404, "PAYMENT_NOT_FOUND"), ("order-1?storeId=store-sandbox", 404, "PAYMENT_NOT_FOUND"),
                ("order-1?storeId=store-nobodys", 403, "FORBIDDEN"), ("order-0", 404, "PAYMENT_NOT_FOUND"),
            ] {
                let answer = try await sandbox.callV2(.get, "/payments/" + path)
                #expect(answer.status == status && answer["type"] == .string(type), "\(path)")
            }
            #expect(try await sandbox.callV2(.get, "/payments/order-1?storeId=store-other").status == 200)
        }
    }

    @Test func `a registered amount refuses another one until it is registered again`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let registered = try await sandbox.callV2(
                .post, "/payments/order-1/pre-register", json: #"{"totalAmount": 1000, "currency": "KRW"}"#)
            #expect(registered.status == 200 && registered.text == "{}")
            let body = #"{"payment_id": "order-1", "amount": 2000}"#
            #expect(try await sandbox.send(.post, "/sandbox/payments", json: body).status == 409)
            _ = try await sandbox.callV2(.post, "/payments/order-1/pre-register", json: #"{"totalAmount": 2000}"#)
            #expect(try await sandbox.send(.post, "/sandbox/payments", json: body).status == 201)
            let late = try await sandbox.callV2(.post, "/payments/order-1/pre-register", json: "{}")
            #expect(late.status == 409 && late["type"] == .string("ALREADY_PAID"))
            for body in [#"{"totalAmount": 1.5}"#, #"{"totalAmount": "1"}"#, #"{"totalAmount": -1}"#, "[]", "x"] {
                let answer = try await sandbox.callV2(.post, "/payments/order-2/pre-register", json: body)
                #expect(answer.status == 400 && answer["type"] == .string("INVALID_REQUEST"), "\(body)")
            }
        }
    }

    @Test func `an account is closed while it waits, and then the payment has failed`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(#""amount": 1000, "status": "ready", "pay_method": "vbank""#)
            let waiting = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(waiting["status"] == .string("VIRTUAL_ACCOUNT_ISSUED"))
            #expect(!waiting["method"]["accountNumber"].text.isEmpty)
            let close = "/payments/order-1/virtual-account/close"
            #expect(try await sandbox.callV2(.post, close)["closedAt"] != .null)
            #expect(try await sandbox.callV2(.get, "/payments/order-1")["status"] == .string("FAILED"))
            #expect(try await sandbox.callV2(.post, close)["type"] == .string("PAYMENT_NOT_WAITING_FOR_DEPOSIT"))
        }
    }

    @Test func `a payment that waits for the merchant's word is confirmed once, and only as it is`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(#""amount": 1000, "status": "READY", "payment_token": "t""#)
            for (body, type) in [
                ("{}", "INVALID_REQUEST"), (#"{"paymentToken": "x"}"#, "INVALID_PAYMENT_TOKEN"),
                (#"{"paymentToken": "t", "totalAmount": 999}"#, "INFORMATION_MISMATCH"),
                (#"{"paymentToken": "t", "totalAmount": 1000, "currency": "KRW", "isTest": false}"#, ""),
                (#"{"paymentToken": "t"}"#, "ALREADY_PAID"),
            ] {
                let answer = try await sandbox.callV2(.post, "/payments/order-1/confirm", json: body)
                #expect(answer["type"].text == type, "\(body)")
            }
            #expect(try await sandbox.callV2(.get, "/payments/order-1")["status"] == .string("PAID"))
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct V2TokenTests {
    @Test func `a secret gets tokens, and a new pair ends the old refresh token`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2()
            let login = #"{"apiSecret": "sandbox-v2-secret"}"#
            let first = try await sandbox.send(.post, "/login/api-secret", json: login)
            #expect(first.status == 200)
            let bearer = "Bearer " + first["accessToken"].text
            #expect(try await sandbox.send(.get, "/payments/order-1", authorization: bearer).status == 200)
            let refresh = #"{"refreshToken": "\#(first["refreshToken"].text)"}"#
            let second = try await sandbox.send(.post, "/token/refresh", json: refresh)
            #expect(second.status == 200 && second["refreshToken"] != first["refreshToken"])
            #expect(try await sandbox.send(.post, "/token/refresh", json: refresh).status == 401)
            #expect(try await sandbox.send(.get, "/payments/order-1", authorization: bearer).status == 200)
            sandbox.clock.advance(by: 1800)
            let late = try await sandbox.send(.get, "/payments/order-1", authorization: bearer)
            #expect(late.status == 401 && late["type"] == .string("UNAUTHORIZED"))
            sandbox.clock.advance(by: 86_400)
            let newest = #"{"refreshToken": "\#(second["refreshToken"].text)"}"#
            #expect(try await sandbox.send(.post, "/token/refresh", json: newest).status == 401)
            let journal = try await sandbox.send(.get, "/sandbox/journal")
            #expect(!journal.text.contains("sandbox-v2-secret"))
            #expect(!journal.text.contains(first["refreshToken"].text))
        }
    }

    @Test func `wrong credentials are refused in V2's words`() async throws {
        try await SandboxUnderTest.run { sandbox in
            for authorization in ["PortOne x", "PortOne ", "Bearer x.y"] {
                let answer = try await sandbox.send(.get, "/payments/order-1", authorization: authorization)
                #expect(answer.status == 401 && answer["type"] == .string("UNAUTHORIZED"))
            }
            #expect(try await sandbox.send(.post, "/payments/order-1/cancel", json: "{}").status == 401)
            for (body, status) in [(#"{"apiSecret": "x"}"#, 401), ("{}", 400), (#"{"apiSecret": 1}"#, 400)] {
                #expect(try await sandbox.send(.post, "/login/api-secret", json: body).status == status)
            }
        }
    }
}
