import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import TestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct V2CancelTests {
    private static let path = "/payments/order-1/cancel"

    @Test func `a part is cancelled, then the rest`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2()
            let part = try await sandbox.callV2(
                .post, Self.path, json: #"{"reason": "변심", "amount": 400, "currentCancellableAmount": 1000}"#)
            #expect(part.status == 200)
            let cancellation = part["cancellation"]
            #expect(cancellation["status"] == .string("SUCCEEDED") && cancellation["totalAmount"] == .int(400))
            #expect(cancellation["reason"] == .string("변심") && cancellation["trigger"] == .string("API"))
            let between = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(between["status"] == .string("PARTIAL_CANCELLED"))
            #expect(between["amount"]["cancelled"] == .int(400) && between["amount"]["paid"] == .int(1000))
            _ = try await sandbox.callV2(.post, Self.path, json: #"{"reason": "변심"}"#)
            let after = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(after["status"] == .string("CANCELLED") && after["cancellations"].elements.count == 2)
            let again = try await sandbox.callV2(.post, Self.path, json: #"{"reason": "변심"}"#)
            #expect(again.status == 409 && again["type"] == .string("PAYMENT_ALREADY_CANCELLED"))
        }
    }

    @Test(arguments: [
        ("{}", 400, "INVALID_REQUEST"), (#"{"reason": 1}"#, 400, "INVALID_REQUEST"),
        (#"{"reason": "r", "amount": 0}"#, 400, "INVALID_REQUEST"),
        (#"{"reason": "r", "amount": 1.5}"#, 400, "INVALID_REQUEST"),
        (#"{"reason": "r", "skipWebhook": "yes"}"#, 400, "INVALID_REQUEST"),
        (#"{"reason": "r", "requester": "X"}"#, 400, "INVALID_REQUEST"),
        (#"{"reason": "r", "refundAccount": {"bank": "KOOKMIN"}}"#, 400, "INVALID_REQUEST"),
        (#"{"reason": "r", "storeId": "store-x"}"#, 403, "FORBIDDEN"),
        (#"{"reason": "r", "amount": 1001}"#, 409, "CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT"),
        (#"{"reason": "r", "currentCancellableAmount": 999}"#, 409, "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN"),
        (#"{"reason": "r", "amount": 100, "taxFreeAmount": 101}"#, 409, "SUM_OF_PARTS_EXCEEDS_CANCEL_AMOUNT"),
        (
            #"{"reason": "r", "amount": 500, "taxFreeAmount": 101}"#, 409,
            "CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT"
        ),
        (#"{"reason": "r", "amount": 901}"#, 409, "CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT"),
        (#"{"reason": "r", "amount": 1000}"#, 409, "CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT"),
        (
            #"{"reason": "r", "amount": 1000, "taxFreeAmount": 99}"#, 409,
            "CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT"
        ),
        (
            #"{"reason": "r", "amount": 100, "taxFreeAmount": 50, "vatAmount": 51}"#, 409,
            "SUM_OF_PARTS_EXCEEDS_CANCEL_AMOUNT"
        ),
        (#"{"reason": "r", "taxFreeAmount": -1}"#, 400, "INVALID_REQUEST"),
    ])
    func `what doesn't fit changes nothing`(body: String, status: Int, type: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(#""amount": 1000, "tax_free": 100"#)
            let answer = try await sandbox.callV2(.post, Self.path, json: body)
            #expect(answer.status == status && answer["type"] == .string(type), "\(answer.text)")
            #expect(try await sandbox.callV2(.get, "/payments/order-1")["status"] == .string("PAID"))
        }
    }

    @Test func `parts with their tax-free shares are cancelled until nothing is left, whoever cancels`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let payment = try await sandbox.payV2(#""amount": 1000, "tax_free": 300"#)
            func cancel(_ amount: Int, _ taxFree: Int) async throws -> Answer {
                try await sandbox.callV2(
                    .post, Self.path, json: #"{"reason": "r", "amount": \#(amount), "taxFreeAmount": \#(taxFree)}"#)
            }
            let first = try await cancel(400, 120)["cancellation"]
            #expect(first["totalAmount"] == .int(400) && first["taxFreeAmount"] == .int(120))
            #expect(first["vatAmount"] == .int(25))
            let byHand = #"{"status": "cancelled", "cancel_amount": 100, "tax_free": 80}"#
            #expect(try await sandbox.send(.patch, "/sandbox/payments/\(payment)", json: byHand).status == 200)
            let between = try await sandbox.callV2(.get, "/payments/order-1")["amount"]
            #expect(between["cancelled"] == .int(500) && between["cancelledTaxFree"] == .int(200))
            let over = try await cancel(101, 101)
            #expect(over["type"] == .string("CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT"))
            let taxed = try await cancel(401, 0)
            #expect(taxed["type"] == .string("CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT"))
            #expect(try await cancel(500, 100).status == 200)
            let after = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(after["status"] == .string("CANCELLED") && after["amount"]["cancelledTaxFree"] == .int(300))
        }
    }

    @Test func `a cancellation without an amount, by hand or by a lost dispute takes the tax-free rest too`()
        async throws
    {
        try await SandboxUnderTest.run { sandbox in
            func isFree(_ order: String) async throws -> JSONValue {
                try await sandbox.callV2(.get, "/payments/\(order)")["amount"]["cancelledTaxFree"]
            }
            for order in ["api", "hand", "part", "dispute"] {
                _ = try await sandbox.payV2(#""amount": 1000, "tax_free": 300"#, paymentID: order)
            }
            _ = try await sandbox.callV2(.post, "/payments/api/cancel", json: #"{"reason": "r"}"#)
            #expect(try await isFree("api") == .int(300))
            _ = try await sandbox.send(.patch, "/sandbox/payments/hand", json: #"{"status": "cancelled"}"#)
            #expect(try await isFree("hand") == .int(300))
            // Taxable money goes back first.
            _ = try await sandbox.send(
                .patch, "/sandbox/payments/part", json: #"{"status": "cancelled", "cancel_amount": 750}"#)
            #expect(try await isFree("part") == .int(50))
            for step in ["open", "lose"] {
                _ = try await sandbox.send(.patch, "/sandbox/payments/dispute", json: #"{"dispute": "\#(step)"}"#)
            }
            #expect(try await isFree("dispute") == .int(300))
            _ = try await sandbox.payV2(
                #""amount": 1000, "tax_free": 300, "status": "PARTIAL_CANCELLED", "cancel_amount": 800"#,
                paymentID: "made")
            #expect(try await isFree("made") == .int(100))
        }
    }

    @Test(arguments: [(500, 301), (500, 501), (800, 99)])
    func `the console's tax-free part must fit too`(amount: Int, taxFree: Int) async throws {
        try await SandboxUnderTest.run { sandbox in
            let payment = try await sandbox.payV2(#""amount": 1000, "tax_free": 300"#)
            let answer = try await sandbox.send(
                .patch, "/sandbox/payments/\(payment)",
                json: #"{"status": "cancelled", "cancel_amount": \#(amount), "tax_free": \#(taxFree)}"#)
            #expect(answer.status == 400 && answer["field"] == .string("tax_free"), "\(answer.text)")
        }
    }

    @Test func `what was never paid can't be cancelled, and an account needs another to pay back to`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let body = #"{"reason": "r"}"#
            #expect(try await sandbox.callV2(.post, Self.path, json: body).status == 404)
            let account = try await sandbox.payV2(#""amount": 1000, "status": "ready", "pay_method": "vbank""#)
            let early = try await sandbox.callV2(.post, Self.path, json: body)
            #expect(early.status == 409 && early["type"] == .string("PAYMENT_NOT_PAID"))
            _ = try await sandbox.send(.patch, "/sandbox/payments/\(account)", json: #"{"status": "PAID"}"#)
            #expect(try await sandbox.callV2(.post, Self.path, json: body).status == 400)
            let back = #"{"reason": "r", "refundAccount": {"bank": "KOOKMIN", "number": "1", "holderName": "홍"}}"#
            #expect(try await sandbox.callV2(.post, Self.path, json: back).status == 200)
        }
    }

    @Test func `a cancellation that waits is settled by hand, or withdrawn`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let payment = try await sandbox.payV2(#""amount": 1000, "cancel_outcome": "requested""#)
            func cancel(_ amount: Int) async throws -> JSONValue {
                try await sandbox.callV2(.post, Self.path, json: #"{"reason": "r", "amount": \#(amount)}"#)[
                    "cancellation"]
            }
            let first = try await cancel(400)
            #expect(first["status"] == .string("REQUESTED") && first["cancelledAt"] == .null)
            let waiting = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(waiting["status"] == .string("PAID") && waiting["amount"]["cancelled"] == .int(0))
            #expect(waiting["cancellations"].elements.first?["status"] == .string("REQUESTED"))
            let over = try await sandbox.callV2(.post, Self.path, json: #"{"reason": "r", "amount": 601}"#)
            #expect(over["type"] == .string("CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT"))
            _ = try await sandbox.send(
                .patch, "/sandbox/payments/\(payment)", json: #"{"cancellation_status": "SUCCEEDED"}"#)
            #expect(try await sandbox.callV2(.get, "/payments/order-1")["amount"]["cancelled"] == .int(400))
            let second = try await cancel(600)
            let stop = "/payments/order-1/cancellations/\(second["id"].text)/stop"
            #expect(try await sandbox.callV2(.post, stop)["stoppedAt"] != .null)
            #expect(try await sandbox.callV2(.post, stop)["type"] == .string("PAYMENT_CANCELLATION_NOT_PENDING"))
            let after = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(after["cancellations"].elements.map { $0["status"].text } == ["SUCCEEDED", "FAILED"])
            #expect(after["status"] == .string("PARTIAL_CANCELLED"))
        }
    }

    @Test(arguments: [("failed", 200), ("refused", 502)])
    func `a cancellation fails, or is refused by the company behind`(outcome: String, status: Int) async throws {
        try await SandboxUnderTest.run { sandbox in
            let payment = try await sandbox.pay(#""amount": 1000, "version": "both", "cancel_outcome": "\#(outcome)""#)
            let answer = try await sandbox.callV2(.post, Self.path, json: #"{"reason": "r"}"#)
            #expect(answer.status == status)
            if status == 200 { #expect(answer["cancellation"]["status"] == .string("FAILED")) }
            if status == 502 { #expect(answer["pgCode"] == .string("9999")) }
            #expect(try await sandbox.callV2(.get, "/payments/order-1")["status"] == .string("PAID"))
            let v1 = try await sandbox.call(.post, "/payments/cancel", json: #"{"imp_uid": "\#(payment)"}"#)
            #expect(v1.status == 200 && v1.code == .int(-1))
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct IdempotencyTests {
    private static let path = "/payments/order-1/cancel"
    private static let body = #"{"reason": "r", "amount": 100}"#
    private static let key = #""0123456789abcdef""#

    private static func cancelled(_ sandbox: SandboxUnderTest) async throws -> JSONValue {
        try await sandbox.callV2(.get, "/payments/order-1")["amount"]["cancelled"]
    }

    @Test func `the same key cancels once, for three hours, and another request may not use it`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2()
            let first = try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            let again = try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            #expect(first.status == 200 && first.text == again.text)
            #expect(try await Self.cancelled(sandbox) == .int(100))
            let other = try await sandbox.callV2(.post, Self.path, json: #"{"reason": "r"}"#, key: Self.key)
            #expect(other.status == 409)
            sandbox.clock.advance(by: 3 * 3600)
            _ = try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            #expect(try await Self.cancelled(sandbox) == .int(200))
        }
    }

    @Test func `errors are given again too`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let early = try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            _ = try await sandbox.payV2()
            let late = try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            #expect(early.status == 404 && early.text == late.text)
        }
    }

    @Test(arguments: ["0123456789abcdef", #""0123456789abcde""#, #""0123456789abcdef"#, #""0123456789\"abcdef""#])
    func `a key that isn't quoted or too short is refused`(key: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2()
            #expect(try await sandbox.callV2(.post, Self.path, json: Self.body, key: key).status == 400)
        }
    }

    @Test func `a second request finds the first still running`() async throws {
        try await SandboxUnderTest.run { sandbox in
            @Sendable func stall(milliseconds: Int) async throws {
                let fault = #"{"kind": "stall", "path": "/payments/*/cancel", "method": "POST", "delay_ms": "#
                _ = try await sandbox.send(.put, "/sandbox/faults", json: fault + "\(milliseconds)}")
            }
            _ = try await sandbox.payV2()
            try await stall(milliseconds: 600_000)
            let first = Task { try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key) }
            try await eventually("the first has arrived") {
                try await !sandbox.send(.get, "/sandbox/journal?path=\(Self.path)")["requests"].elements.isEmpty
            }
            let second = try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            #expect(second.status == 409 && second["type"] == .string("IDEMPOTENCY_OUTSTANDING_REQUEST"))
            first.cancel()
            _ = await first.result
            #expect(try await Self.cancelled(sandbox) == .int(0))
            try await stall(milliseconds: 1)
            #expect(try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key).status == 200)
            #expect(try await Self.cancelled(sandbox) == .int(100))
        }
    }

    @Test(arguments: ["timeout", "lose_answer"])
    func `a lost answer is had again by the same key`(kind: String) async throws {
        try await SandboxUnderTest.run(.live) { sandbox in
            _ = try await sandbox.payV2()
            _ = try await sandbox.send(
                .put, "/sandbox/faults", json: #"{"kind": "\#(kind)", "path": "/payments/", "delay_ms": 50}"#)
            await #expect(throws: (any Error).self) {
                try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            }
            let again = try await sandbox.callV2(.post, Self.path, json: Self.body, key: Self.key)
            #expect(again["cancellation"]["status"] == .string("SUCCEEDED"))
            #expect(try await Self.cancelled(sandbox) == .int(100))
        }
    }
}
