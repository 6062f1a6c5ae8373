import FoundationEssentials
import HTTPTestSupport
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct WebhookTests {
    private static let refundAccount = #""refund_holder": "홍", "refund_bank": "004", "refund_account": "1""#

    @Test func `webhooks report what happens at the gateway, but no failures and no API cancellations`() async throws {
        let (bodies, inlet) = AsyncStream<String>.makeStream()
        let router = Router()
        router.post("hook") { request, _ -> HTTPResponse.Status in
            inlet.yield(String(buffer: try await request.body.collect(upTo: 4096)))
            return .ok
        }
        let receiver = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .quiet)
        try await receiver.test(.live) { client in
            let url = "http://127.0.0.1:\(client.port ?? 0)/hook"
            try await SandboxUnderTest.run(.live, { $0.v1WebhookURL = url }) { sandbox in
                var received = bodies.makeAsyncIterator()
                func next() async -> JSONValue {
                    Answer(status: 0, contentType: nil, text: await received.next() ?? "").json
                }
                let account = try await sandbox.pay(
                    #""amount": 1000, "status": "ready", "pay_method": "vbank""#, merchantUID: "a")
                let ready = await next()
                #expect(ready["imp_uid"] == .string(account) && ready["merchant_uid"] == .string("a"))
                #expect(ready["status"] == .string("ready") && ready["cancellation_id"] == .null)
                _ = try await sandbox.pay(#""amount": 1000, "status": "failed""#, merchantUID: "b")
                _ = try await sandbox.pay(#""amount": 1000, "status": "ready""#, merchantUID: "b")
                _ = try await sandbox.send(.patch, "/sandbox/payments/\(account)", json: #"{"status": "paid"}"#)
                #expect(await next()["status"] == .string("paid"))
                _ = try await sandbox.call(
                    .post, "/payments/cancel", json: #"{"imp_uid": "\#(account)", "amount": 1, \#(Self.refundAccount)}"#
                )
                _ = try await sandbox.call(
                    .post, "/payments/cancel",
                    json: #"{"imp_uid": "\#(account)", "amount": 2, "enable_webhook": true, \#(Self.refundAccount)}"#)
                let cancelled = await next()
                #expect(cancelled["status"] == .string("cancelled") && !cancelled["cancellation_id"].text.isEmpty)
                let history = try await sandbox.call(.get, "/payments/\(account)")["response"]["cancel_history"]
                #expect(history.elements.last?["cancellation_id"] == cancelled["cancellation_id"])
            }
        }
    }

    @Test(arguments: ["https://127.0.0.1/", "ftp://x", "127.0.0.1:80", "", "http://"])
    func `a webhook URL that can't be used stops the gateway from starting`(url: String) {
        #expect(throws: SandboxGatewayError.self) {
            try SandboxGateway(configuration: SandboxGatewayConfiguration(v1WebhookURL: url)).buildApplication()
        }
    }

    @Test func `a webhook target keeps its path and query`() throws {
        let target = try #require(WebhookTarget("http://localhost:8080/webhooks/portone/v1?a=b"))
        #expect(target.host == "localhost" && target.port == 8080)
        #expect(target.path == "/webhooks/portone/v1?a=b")
        #expect(WebhookTarget("http://localhost")?.path == "/")
    }
}
