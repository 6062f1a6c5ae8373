import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct CancelTests {
    @Test func `a part is cancelled, then the rest, and the amount stays`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay()
            let part = try await sandbox.call(
                .post, "/payments/cancel/", json: #"{"imp_uid": "\#(impUID)", "amount": 400, "checksum": 1000}"#)
            #expect(part.status == 200 && part.code == .int(0))
            #expect(part["response"]["status"] == .string("cancelled"))
            #expect(part["response"]["amount"] == .int(1000) && part["response"]["cancel_amount"] == .int(400))
            let rest = try await sandbox.call(
                .post, "/payments/cancel", json: #"{"imp_uid": "\#(impUID)", "amount": 0, "reason": "변심"}"#)
            #expect(rest["response"]["cancel_amount"] == .int(1000))
            #expect(rest["response"]["cancel_history"].elements.map { $0["amount"] } == [.int(400), .int(600)])
            #expect(rest["response"]["cancel_reason"] == .string("변심"))
            #expect(rest["response"]["paid_at"] == .int(1_700_000_000))
            let again = try await sandbox.call(.post, "/payments/cancel", json: #"{"imp_uid": "\#(impUID)"}"#)
            #expect(again.status == 200 && again.code == .int(1) && again.message == "이미 전액취소된 주문입니다.")
        }
    }

    @Test func `a form cancels too, by merchant_uid, and imp_uid wins when it is there`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.pay()
            let token = try await sandbox.token()["access_token"].text
            let wrong = try await sandbox.send(
                .post, "/payments/cancel", form: "imp_uid=imp_0&merchant_uid=order-1", authorization: token)
            #expect(wrong.message == "취소할 결제건이 존재하지 않습니다.")
            let right = try await sandbox.send(
                .post, "/payments/cancel", form: "merchant_uid=order-1&amount=100", authorization: token)
            #expect(right["response"]["cancel_amount"] == .int(100))
        }
    }

    @Test(arguments: [
        (#""amount": 1001"#, 200, 1), (#""checksum": 999"#, 200, 1), (#""checksum": 0"#, 200, 1),
        (#""amount": -1"#, 400, -1), (#""amount": "x""#, 400, -1), (#""amount": true"#, 400, -1),
    ])
    func `what doesn't fit the balance changes nothing`(members: String, status: Int, code: Int) async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay()
            let refused = try await sandbox.call(
                .post, "/payments/cancel", json: #"{"imp_uid": "\#(impUID)", \#(members)}"#)
            #expect(refused.status == status && refused.code == .int(code))
            #expect(refused["response"] == .null && !refused.message.isEmpty)
            let payment = try await sandbox.call(.get, "/payments/\(impUID)")
            #expect(payment["response"]["status"] == .string("paid"))
        }
    }

    @Test(arguments: [
        (#""amount": 1000"#, 200, 1), (#""amount": 701"#, 200, 1), (#""amount": 500, "tax_free": 301"#, 200, 1),
        (#""amount": 1000, "tax_free": 299"#, 200, 1), (#""amount": 100, "tax_free": 101"#, 400, -1),
        (#""amount": 100, "tax_free": -1"#, 400, -1), (#""amount": 100, "tax_free": 0.5"#, 400, -1),
    ])
    func `a taxable or tax-free part of which less is left changes nothing`(
        members: String, status: Int, code: Int
    ) async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay(#""amount": 1000, "tax_free": 300"#)
            let refused = try await sandbox.call(
                .post, "/payments/cancel", json: #"{"imp_uid": "\#(impUID)", \#(members)}"#)
            #expect(refused.status == status && refused.code == .int(code), "\(refused.text)")
            #expect(refused["response"] == .null && !refused.message.isEmpty)
            let payment = try await sandbox.call(.get, "/payments/\(impUID)")
            #expect(payment["response"]["status"] == .string("paid"))
        }
    }

    @Test func `parts with their tax-free shares are cancelled until nothing is left`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay(#""amount": 1000, "tax_free": 300"#)
            for (amount, taxFree) in [(100, 30), (600, 0), (300, 270)] {
                let part = try await sandbox.call(
                    .post, "/payments/cancel",
                    json: #"{"imp_uid": "\#(impUID)", "amount": \#(amount), "tax_free": \#(taxFree)}"#)
                #expect(part.code == .int(0), "\(part.text)")
            }
            let whole = try await sandbox.pay(#""amount": 1000, "tax_free": 300"#, merchantUID: "order-2")
            let rest = try await sandbox.call(.post, "/payments/cancel", json: #"{"imp_uid": "\#(whole)"}"#)
            #expect(rest.code == .int(0), "\(rest.text)")
        }
    }

    @Test(arguments: ["kcp", "kcp_quick", "kicc", "nice", "payco"])
    func `some payment companies require the tax-free part of a payment that has one`(
        provider: String
    ) async throws {
        try await SandboxUnderTest.run { sandbox in
            let members = #""amount": 1000, "pg_provider": "\#(provider)""#
            let taxFree = try await sandbox.pay(members + #", "tax_free": 300"#)
            for amount in ["", #", "amount": 100"#] {
                let refused = try await sandbox.call(
                    .post, "/payments/cancel", json: #"{"imp_uid": "\#(taxFree)"\#(amount)}"#)
                #expect(refused.status == 200 && refused.code == .int(-1), "\(refused.text)")
            }
            let reported = try await sandbox.call(
                .post, "/payments/cancel", json: #"{"imp_uid": "\#(taxFree)", "amount": 100, "tax_free": 0}"#)
            #expect(reported.code == .int(0), "\(reported.text)")
            let taxable = try await sandbox.pay(members, merchantUID: "order-2")
            #expect(
                try await sandbox.call(.post, "/payments/cancel", json: #"{"imp_uid": "\#(taxable)"}"#).code == .int(0))
        }
    }

    @Test func `without an identifier, or without money taken, there is nothing to cancel`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let neither = try await sandbox.call(.post, "/payments/cancel", json: #"{"amount": 1}"#)
            #expect(neither.status == 400 && neither.code == .int(-1))
            let waiting = try await sandbox.pay(#""amount": 1000, "status": "ready""#)
            let refused = try await sandbox.call(.post, "/payments/cancel", json: #"{"imp_uid": "\#(waiting)"}"#)
            #expect(refused.status == 200 && refused.code == .int(1))
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct PrepareTests {
    @Test func `an amount is registered once, read, and replaced by PUT only`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let body = #"{"merchant_uid": "order-1", "amount": 1000}"#
            let unknown = try await sandbox.call(.put, "/payments/prepare", json: body)
            #expect(unknown.status == 404 && unknown.message == "사전등록된 결제정보가 존재하지 않습니다.")
            #expect(try await sandbox.call(.get, "/payments/prepare/order-1").status == 404)
            for _ in 0..<2 { #expect(try await sandbox.call(.post, "/payments/prepare", json: body).code == .int(0)) }
            let other = try await sandbox.call(
                .post, "/payments/prepare", json: #"{"merchant_uid": "order-1", "amount": 2000}"#)
            #expect(other.status == 200 && other.code == .int(1))
            let replaced = try await sandbox.call(
                .put, "/payments/prepare", json: #"{"merchant_uid": "order-1", "amount": 2000, "currency": "KRW"}"#)
            #expect(replaced.code == .int(0))
            let read = try await sandbox.call(.get, "/payments/prepare/order-1")
            #expect(read.text.hasSuffix(#"{"amount":2000,"currency":"KRW","merchant_uid":"order-1"}}"#))
        }
    }

    @Test(arguments: [
        "{}", #"{"merchant_uid": "o"}"#, #"{"merchant_uid": "o", "amount": "x"}"#,
        #"{"merchant_uid": "o", "amount": -1}"#,
        #"{"merchant_uid": "12345678901234567890123456789012345678901", "amount": 1}"#,
    ])
    func `what can't be registered is refused`(body: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            let answer = try await sandbox.call(.post, "/payments/prepare", json: body)
            #expect(answer.status == 400 && answer.code == .int(-1))
        }
    }

    @Test func `the payment window doesn't open with another amount`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.call(
                .post, "/payments/prepare", json: #"{"merchant_uid": "order-1", "amount": 1000}"#)
            let refused = try await sandbox.send(
                .post, "/sandbox/payments", json: #"{"merchant_uid": "order-1", "amount": 999}"#)
            #expect(refused.status == 409 && refused["field"] == .string("amount"))
            _ = try await sandbox.pay()
        }
    }
}
