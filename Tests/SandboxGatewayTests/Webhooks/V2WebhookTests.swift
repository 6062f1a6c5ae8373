import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import TestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct V2WebhookTests {
    @Test func `a message is signed as Standard Webhooks says`() throws {
        let body =
            #"{"type":"Transaction.Paid","timestamp":"2026-01-01T00:00:00.000Z","data":{"paymentId":"order-20260101-0001","#
            + #""storeId":"store-04f7a059-9b5d-4bb8-ac93-f35434438216","#
            + #""transactionId":"01a07ab6-3bbe-f28f-9452-4e0baa5d1120"}}"#
        let signer = try OutboxSigner(secrets: [WebhookReceiver.secret, "whsec_AAAA"])
        let headers = Dictionary(
            signer.headers(id: "msg_sandbox_0001", timestamp: 1_767_225_600, body: body)
        ) { $1 }
        let signatures = headers["webhook-signature"]?.split(separator: " ") ?? []
        #expect(signatures.count == 2)
        #expect(signatures.first == "v1,c8zb+eUQx9tegSdzLPMkW2VHH3QC1BKiKONWkg38Hiw=")
    }

    @Test(arguments: [["whsec_"], ["whsec_%"], ["AAAA", "AAAA", "AAAA"]])
    func `a secret that can't be used stops the gateway from starting`(secrets: [String]) {
        #expect(throws: SandboxGatewayError.self) { try OutboxSigner(secrets: secrets) }
    }

    @Test func `every step sends a webhook, API cancellations too unless skipped`() async throws {
        try await WebhookReceiver.run { sandbox, receiver in
            let payment = try await sandbox.pay(#""amount": 1000, "version": "V2""#)
            let cancel = "/payments/order-1/cancel"
            _ = try await sandbox.callV2(.post, cancel, json: #"{"reason": "r", "amount": 1, "skipWebhook": true}"#)
            _ = try await sandbox.callV2(.post, cancel, json: #"{"reason": "r", "amount": 2}"#)
            _ = try await sandbox.send(
                .patch, "/sandbox/payments/\(payment)", json: #"{"status": "CANCELLED", "pending": true}"#)
            _ = try await sandbox.send(
                .patch, "/sandbox/payments/\(payment)", json: #"{"cancellation_status": "SUCCEEDED"}"#)
            var bodies: [JSONValue] = []
            for await message in receiver.messages.prefix(5) {
                let signature = message.headers["webhook-signature"] ?? ""
                #expect(signature.hasPrefix("v1,"))
                bodies.append(message.json)
            }
            let types = Set(bodies.map { $0["type"].text.dropFirst("Transaction.".count) })
            #expect(types == ["Ready", "Paid", "PartialCancelled", "CancelPending", "Cancelled"])
            let partial = bodies.first { $0["type"] == .string("Transaction.PartialCancelled") } ?? .null
            #expect(!partial["data"]["cancellationId"].text.isEmpty)
            #expect(partial["data"]["storeId"] == .string("store-sandbox"))
        }
    }

    @Test func `a refused message is sent again until it is accepted, and the history lists the attempts`() async throws
    {
        try await WebhookReceiver.run { sandbox, receiver in
            receiver.answer(.internalServerError, .found)
            let ticking = sandbox.clock.tick(by: 60)
            defer { ticking.cancel() }
            _ = try await sandbox.pay(#""amount": 1000, "version": "V2", "status": "failed""#)
            var ids: [String: Int] = [:]
            for await message in receiver.messages.prefix(4) {
                ids[message.headers["webhook-id"] ?? "", default: 0] += 1
            }
            #expect(ids.count == 2 && ids.values.reduce(0, +) == 4)
            var history: [JSONValue] = []
            try await eventually("both messages are taken") {
                history = try await sandbox.callV2(.get, "/payments/order-1")["webhooks"].elements
                return history.map { $0["status"].text } == ["SUCCEEDED", "SUCCEEDED"]
            }
            #expect(history.map { $0["currentExecutionCount"].integer }.reduce(0, +) == 4)
        }
    }

    @Test func `messages are held, turned round, doubled, dropped and spoilt`() async throws {
        try await WebhookReceiver.run { sandbox, receiver in
            _ = try await sandbox.send(
                .put, "/sandbox/webhooks/plan",
                json: """
                    [{"act": "drop", "type": "Transaction.Ready", "times": 9}, {"act": "hold"}, {"act": "hold"},
                     {"act": "duplicate"}, {"act": "wrong_secret"}, {"act": "unsigned"}]
                    """)
            for order in ["a", "b", "c", "d", "e"] {
                _ = try await sandbox.pay(#""amount": 1, "version": "V2""#, merchantUID: order)
            }
            _ = try await sandbox.send(.post, "/sandbox/webhooks/release", json: #"{"order": "reversed"}"#)
            var received: [WebhookReceiver.Message] = []
            for await message in receiver.messages.prefix(6) { received.append(message) }
            let orders = received.map { $0.json["data"]["paymentId"].text }
            #expect(orders.sorted() == ["a", "b", "c", "c", "d", "e"])
            let doubled = received.filter { $0.json["data"]["paymentId"] == .string("c") }
            #expect(Set(doubled.map { $0.headers["webhook-id"] }).count == 1)
            let unsigned = received.filter { $0.json["data"]["paymentId"] == .string("e") }
            #expect(unsigned.allSatisfy { $0.headers["webhook-id"] == nil })
            let list = try await sandbox.send(.get, "/sandbox/webhooks?payment=a")["deliveries"].elements
            #expect(list.map { $0["state"].text }.contains("dropped"))
        }
    }

    @Test func `a message is sent again on demand, but not for ever`() async throws {
        try await WebhookReceiver.run { sandbox, receiver in
            let path = "/payments/order-1/resend-webhook"
            #expect(try await sandbox.callV2(.post, path).status == 404)
            _ = try await sandbox.pay(#""amount": 1, "version": "V2""#)
            let unknown = try await sandbox.callV2(.post, path, json: #"{"webhookId": "x"}"#)
            #expect(unknown["type"] == .string("WEBHOOK_NOT_FOUND"))
            for _ in 0..<5 { #expect(try await sandbox.callV2(.post, path)["webhook"]["id"] != .null) }
            let late = try await sandbox.callV2(.post, path)
            #expect(late.status == 400 && late["type"] == .string("MAX_WEBHOOK_RETRY_COUNT_REACHED"))
            _ = receiver
        }
    }

    @Test func `a payment's own URL replaces the configured one, and any body can be sent`() async throws {
        try await WebhookReceiver.run { sandbox, receiver in
            let received = try await sandbox.send(
                .post, "/sandbox/webhooks", json: #"{"api": "V2", "body": {"type": "Transaction.Odd"}}"#)
            #expect(received.status == 202)
            var messages = receiver.messages.makeAsyncIterator()
            let first = await messages.next()?.json ?? .null
            #expect(first["type"] == .string("Transaction.Odd"))
            _ = try await sandbox.pay(#""amount": 1, "version": "V1", "notice_url": "http://127.0.0.1:1/x""#)
            let deliveries = try await sandbox.send(.get, "/sandbox/webhooks?after=1")["deliveries"].elements
            #expect(deliveries.map { $0["url"].text } == ["http://127.0.0.1:1/x"])
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct V1WebhookTests {
    private static let form: @Sendable (inout SandboxGatewayConfiguration) -> Void = {
        $0.v1WebhookEncoding = .form
        $0.v1WebhookRetries = true
        $0.v2WebhookURL = nil
    }

    @Test func `a form is sent when the console says so, and retries only when they are on`() async throws {
        try await WebhookReceiver.run(Self.form) { sandbox, receiver in
            receiver.answer(.badGateway)
            let ticking = sandbox.clock.tick(by: 60)
            defer { ticking.cancel() }
            _ = try await sandbox.pay(merchantUID: "주문 1")
            var messages = receiver.messages.makeAsyncIterator()
            for _ in 0..<2 {
                guard let message = await messages.next() else { break }
                #expect(message.headers["content-type"] == "application/x-www-form-urlencoded")
                #expect(message.body.contains("merchant_uid=%EC%A3%BC%EB%AC%B8%201&status=paid"))
                #expect(message.headers["webhook-signature"] == nil)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct RetryTests {
    private func delivery(_ payment: SandboxPayment.Version, tried: Int, status: Int?) -> (Bool, Double?) {
        let message = WebhookMessage(api: payment, type: "", impUID: nil, body: "", contentType: "")
        var delivery = WebhookDelivery(number: 1, id: "", message: message, url: "")
        let attempt = WebhookDelivery.Attempt(
            at: .distantPast, status: status, header: "", body: "", error: nil, respondedAt: .distantPast)
        delivery.attempts = Array(repeating: attempt, count: tried)
        return delivery.wait(after: attempt, v1Retries: true, jitter: 1)
    }

    @Test func `V2 tries six times over at most five hours and forty-one minutes`() {
        let waits = (1...6).map { delivery(.v2, tried: $0, status: 500).1 }
        #expect(waits == [60, 240, 960, 3840, 15_360, nil])
        #expect(delivery(.v2, tried: 1, status: 204).0)
        #expect(delivery(.v2, tried: 1, status: 302).1 == 60)
    }

    @Test func `V1 tries again after a 5xx or silence, a minute apart, never after a 4xx`() {
        #expect((1...6).map { delivery(.v1, tried: $0, status: nil).1 } == [60, 60, 60, 60, 60, nil])
        #expect(delivery(.v1, tried: 1, status: 404).1 == nil)
        #expect(delivery(.v1, tried: 1, status: 200).0)
    }
}
