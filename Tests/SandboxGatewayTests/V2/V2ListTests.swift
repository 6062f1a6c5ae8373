import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct V2ListTests {
    private static func query(_ body: String) -> String { "requestBody=" + PercentEncoding.encode(body) }

    @Test func `a list is asked for by query or by body, and counted from 0`() async throws {
        try await SandboxUnderTest.run { sandbox in
            for index in 0..<5 { _ = try await sandbox.payV2(paymentID: "order-\(index)") }
            let body = #"{"page": {"number": 1, "size": 2}, "filter": {"sortOrder": "ASC"}}"#
            let byQuery = try await sandbox.callV2(.get, "/payments?" + Self.query(body))
            let byBody = try await sandbox.callV2(.get, "/payments", json: body)
            #expect(byQuery.status == 200 && byQuery.text == byBody.text)
            #expect(byQuery["items"].elements.map { $0["id"].text } == ["order-2", "order-3"])
            #expect(byQuery["page"]["totalCount"] == .int(5) && byQuery["page"]["number"] == .int(1))
            let all = try await sandbox.callV2(.get, "/payments")
            #expect(all["items"].elements.count == 5 && all["items"].elements[0]["id"] == .string("order-4"))
        }
    }

    @Test func `a filter lists what fits`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.pay(merchantUID: "a")
            _ = try await sandbox.payV2(#""amount": 1000, "status": "PAY_PENDING", "sandbox": true"#, paymentID: "b")
            _ = try await sandbox.payV2(
                #""amount": 1000, "status": "ready", "pay_method": "vbank", "name": "코인""#, paymentID: "c")
            sandbox.clock.advance(by: 10)
            for (filter, expected) in [
                (#"{"version": "V1"}"#, ["a"]), (#"{"status": ["PENDING"]}"#, ["b"]), (#"{"isTest": true}"#, ["b"]),
                (#"{"methods": ["VIRTUAL_ACCOUNT"]}"#, ["c"]), (#"{"currency": "USD"}"#, []),
                (#"{"textSearch": [{"field": "ORDER_NAME", "value": "인"}]}"#, ["c"]),
                (#"{"until": "2023-11-14T22:13:19Z"}"#, []), (#"{"from": "2023-11-14T22:13:21Z"}"#, []),
                (#"{"from": "2023-11-14T22:13:20.000Z", "sortOrder": "ASC"}"#, ["a", "b", "c"]),
            ] {
                let answer = try await sandbox.callV2(.get, "/payments", json: #"{"filter": \#(filter)}"#)
                #expect(answer["items"].elements.map { $0["id"].text } == expected, "\(filter): \(answer.text)")
            }
        }
    }

    @Test(arguments: [
        #"{"page": {"number": 60, "size": 1000}}"#, #"{"page": {"number": -1}}"#, #"{"page": {"size": 0}}"#,
        #"{"filter": {"status": ["PAY_PENDING"]}}"#, #"{"filter": {"from": "yesterday"}}"#,
        #"{"filter": {"cardBrand": "LOCAL"}}"#, "nonsense",
        #"{"filter": {"from": "2023-11-14T22:13:21Z", "until": "2023-11-14T22:13:20Z"}}"#,
    ])
    func `a list that can't be is refused`(body: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            let answer = try await sandbox.callV2(.get, "/payments?" + Self.query(body))
            #expect(answer.status == 400 && answer["type"] == .string("INVALID_REQUEST"))
        }
    }

    @Test func `events happen when the money moved, and a list shows what changed since its last page`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2(
                #"""
                "amount": 1000, "started_at": 1600000000, "paid_at": 1600000060, "status": "CANCELLED",
                "cancelled_at": 1600000120, "transaction_id": "tx-1"
                """#)
            func events(_ from: String, _ until: String) async throws -> [JSONValue] {
                let body = Self.query(#"{"from": "\#(from)", "until": "\#(until)"}"#)
                return try await sandbox.callV2(.get, "/payment-events-by-cursor?" + body)["items"].elements
            }
            let paid = try await events("2020-09-13T12:27:00Z", "2020-09-13T12:28:00Z")
            #expect(paid.map { $0["paymentEvent"]["type"] } == [.string("PAID")])
            #expect(paid.first?["paymentEvent"]["transactionId"] == .string("tx-1"))
            let cancelled = try await events("2020-09-13T12:28:30Z", "2020-09-13T12:29:00Z")
            #expect(cancelled.map { $0["paymentEvent"]["type"] } == [.string("CANCELLED")])

            let before = try await sandbox.callV2(.get, "/payments-by-cursor")["items"].elements.count
            _ = try await sandbox.payV2(paymentID: "order-2")
            let now = try await sandbox.callV2(.get, "/payments-by-cursor")["items"].elements.count
            #expect(before == 0 && now == 1, "the first lies more than 90 days back")
        }
    }

    @Test func `a walk by cursor goes on from the last item until there is none`() async throws {
        try await SandboxUnderTest.run { sandbox in
            for index in 0..<5 { _ = try await sandbox.payV2(paymentID: "order-\(index)") }
            var seen: [String] = []
            var cursor = ""
            while true {
                let body = #"{"size": 2\#(cursor.isEmpty ? "" : #", "cursor": "\#(cursor)""#)}"#
                let items = try await sandbox.callV2(.get, "/payments-by-cursor", json: body)["items"].elements
                guard let last = items.last else { break }
                seen += items.map { $0["payment"]["id"].text }
                cursor = last["cursor"].text
            }
            #expect(seen == (0..<5).map { "order-\($0)" })
            let wrong = try await sandbox.callV2(.get, "/payments-by-cursor", json: #"{"cursor": "x"}"#)
            #expect(wrong.status == 400)
        }
    }

    @Test func `events list money that moved, cancellations with negative amounts`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.payV2()
            _ = try await sandbox.callV2(.post, "/payments/order-1/cancel", json: #"{"reason": "r", "amount": 300}"#)
            _ = try await sandbox.callV2(.post, "/payments/order-1/cancel", json: #"{"reason": "r"}"#)
            let events = try await sandbox.callV2(.get, "/payment-events-by-cursor")["items"].elements
                .map { $0["paymentEvent"] }
            #expect(events.map { $0["type"].text } == ["PAID", "PARTIAL_CANCELLED", "CANCELLED"])
            #expect(events.map { $0["eventAmount"] } == [.int(1000), .int(-300), .int(-700)])
            #expect(events.last?["cancellation"]["totalAmount"] == .int(700))
            #expect(events.first?["totalAmount"]["total"] == .int(1000))
        }
    }
}
