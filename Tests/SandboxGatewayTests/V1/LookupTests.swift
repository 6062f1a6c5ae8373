import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct LookupTests {
    @Test func `a payment is written as V1 writes it`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay(
                #""amount": 14.20, "currency": "USD", "custom_data": {"user": "가/나"}, "status": "failed", "name": "코인""#
            )
            let answer = try await sandbox.call(.get, "/payments/\(impUID)")
            #expect(answer.text.hasPrefix(#"{"code":0,"message":null,"response":{"amount":14.2,"apply_num":"#))
            #expect(answer.text.contains(#""custom_data":"{\"user\":\"\\uac00\\\/\\ub098\"}""#))
            #expect(answer.text.contains(#""name":"\ucf54\uc778""#))
            let payment = answer["response"]
            #expect(payment["paid_at"] == .int(0) && payment["cancelled_at"] == .int(0))
            #expect(payment["failed_at"] == .int(1_700_000_000))
            #expect(payment["cancel_amount"] == .int(0) && payment["cancel_history"] == .array([]))
            #expect(payment["vbank_num"] == .null && payment["vbank_date"] == .int(0))
            #expect(payment["sandbox"] == .bool(false))
        }
    }

    @Test func `a test payment is hidden from the single look-up only`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay(#""amount": 1000, "sandbox": true"#)
            let hidden = try await sandbox.call(.get, "/payments/\(impUID)")
            #expect(hidden.status == 404 && hidden.message == "존재하지 않는 결제정보입니다.")
            for path in [
                "/payments/\(impUID)?include_sandbox=true", "/payments/find/order-1/", "/payments/findAll/order-1",
                "/payments/status/all", "/payments?imp_uid[]=\(impUID)",
            ] {
                let answer = try await sandbox.call(.get, path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.text.contains(#""sandbox":true"#), "\(path)")
            }
        }
    }

    @Test func `an order's attempts are found newest first, by status, and in any order asked for`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let failed = try await sandbox.pay(#""amount": 1000, "status": "failed""#, merchantUID: "주문 1")
            sandbox.clock.advance(by: 10)
            let paid = try await sandbox.pay(merchantUID: "주문 1")
            let order = "%EC%A3%BC%EB%AC%B8%201"
            for (query, expected) in [
                ("", paid), ("?sorting=started", failed), ("/failed", failed), ("/paid/", paid),
                ("?sorting=-paid", paid), ("?sorting=updated", failed),
            ] {
                let answer = try await sandbox.call(.get, "/payments/find/\(order)\(query)")
                #expect(answer["response"]["imp_uid"] == .string(expected), "\(query)")
            }
            let all = try await sandbox.call(.get, "/payments/findAll/\(order)?limit=1&page=2")
            #expect(all["response"]["total"] == .int(2))
            #expect(all["response"]["list"].elements.map { $0["imp_uid"].text } == [failed])
            for (path, status) in [
                ("find/none", 404), ("findAll/none", 404), ("find/\(order)/cancelled", 404), ("find/\(order)/odd", 400),
                ("find/\(order)?sorting=odd", 400), ("findAll/\(order)?limit=1001", 400),
            ] {
                let answer = try await sandbox.call(.get, "/payments/\(path)")
                #expect(answer.status == status, "\(path)")
            }
        }
    }

    @Test func `many are got at once, in no order, and 207 says that some are missing`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let first = try await sandbox.pay()
            let second = try await sandbox.pay(merchantUID: "order-2")
            let all = try await sandbox.call(.get, "/payments?imp_uid[]=\(first)&merchant_uid%5B%5D=order-2")
            #expect(all.status == 200)
            #expect(Set(all["response"].elements.map { $0["imp_uid"].text }) == [first, second])
            let some = try await sandbox.call(.get, "/payments?imp_uid[]=\(first)&imp_uid[]=imp_0")
            #expect(some.status == 207 && some.code == .int(0) && some["response"].elements.count == 1)
            let none = try await sandbox.call(.get, "/payments?imp_uid[]=imp_0")
            #expect(none.status == 404)
            let tooMany = try await sandbox.call(
                .get, "/payments?" + Array(repeating: "imp_uid[]=x", count: 101).joined(separator: "&"))
            #expect(tooMany.status == 400)
        }
    }

    @Test func `a list goes by the time of the current status, inclusively`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay(#""amount": 1000, "started_at": 1699999000, "paid_at": 1699999500"#)
            func total(_ path: String) async throws -> JSONValue {
                try await sandbox.call(.get, "/payments/status/" + path)["response"]["total"]
            }
            #expect(try await total("paid?from=1699999500&to=1699999500") == .int(1))
            #expect(try await total("paid?from=1699999000&to=1699999499") == .int(0))
            #expect(try await total("ready") == .int(0))
            _ = try await sandbox.send(
                .patch, "/sandbox/payments/\(impUID)", json: #"{"status": "cancelled", "cancel_amount": 1}"#)
            #expect(try await total("paid") == .int(0))
            #expect(try await total("cancelled?from=1700000000&to=1700000000") == .int(1))
            #expect(try await total("all") == .int(1))
        }
    }

    @Test func `a list comes in pages, and there is none beyond the last`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let empty = try await sandbox.call(.get, "/payments/status/all")
            #expect(empty.status == 200 && empty["response"]["list"] == .array([]))
            var made: [String] = []
            for index in 0..<5 {
                made.append(try await sandbox.pay(merchantUID: "order-\(index)"))
            }
            var seen: [String] = []
            for page in 1...3 {
                let answer = try await sandbox.call(
                    .get, "/payments/status/all?limit=2&page=\(page)&sorting=started")
                let response = answer["response"]
                #expect(response["total"] == .int(5))
                #expect(response["previous"] == .int(page - 1))
                #expect(response["next"] == .int(page < 3 ? page + 1 : 0))
                seen += response["list"].elements.map { $0["imp_uid"].text }
            }
            #expect(seen == made)
            for query in [
                "all?page=4&limit=2", "all?page=0", "all?limit=0", "all?from=2&to=1", "all?from=0&to=7776001", "odd",
            ] {
                let answer = try await sandbox.call(.get, "/payments/status/\(query)")
                #expect(answer.status == 400, "\(query)")
            }
            #expect(try await sandbox.call(.get, "/payments/status/odd").message == "지원되지 않는 상태값입니다.")
        }
    }

    @Test func `what isn't the API's is answered in HTML, as infrastructure does`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let answer = try await sandbox.call(.get, "/nowhere")
            #expect(answer.status == 404 && answer.contentType == "text/html")
        }
    }

    @Test func `identifiers don't come twice, not even after a restart`() {
        var first = IdentifierMint()
        var second = IdentifierMint()
        var seen: Set<String> = []
        for _ in 0..<1000 { seen.insert(first.impUID()) }
        #expect(seen.count == 1000)
        #expect(seen.allSatisfy { $0.hasPrefix("imp_") && $0.count == 16 && $0.dropFirst(4).allSatisfy(\.isNumber) })
        _ = second.impUID()
    }
}
