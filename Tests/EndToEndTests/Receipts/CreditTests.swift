import TestSupport
import Testing

/// A receipt becomes coins, once.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CreditTests {
    @Test func `a receipt is credited once, and repeats get the same answer`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay()
            let first = try await service.present(payment)
            #expect(first.status == 201, "\(first)")
            #expect(first.purchase["imp_uid"].text == payment.impUID)
            #expect(first.purchase["merchant_uid"].text == payment.merchantUID)
            #expect(first.purchase["product"] == "coins_100")
            #expect(first.purchase["amount"] == 1000)
            #expect(first.purchase["coins"] == 100)
            #expect(first.json["balance"]["total"] == 100)

            let second = try await service.present(payment)
            #expect(second.status == 200, "\(second)")
            #expect(second.purchase == first.purchase)
            #expect(second.json["balance"] == first.json["balance"])

            let balance = try await service.get("/v1/me/balance", as: Token.user("ann"))
            #expect(balance.json == first.json["balance"])
            let history = try await service.get("/v1/me/purchases", as: Token.user("ann"))
            // A history also tells what was given back of it: nothing.
            #expect(history.json["purchases"].elements.map { $0.without("refunds") } == [first.purchase])
            #expect(history.json["purchases"].elements.map { $0["refunds"] } == [.array([])])
            #expect(history.json["has_more"] == false)
            let id = sure(first.purchase["id"].integer)
            let shown = try await service.get("/v1/me/purchases/\(id)", as: Token.user("ann")).json
            #expect(shown.without("refunds") == first.purchase)
        }
    }

    @Test func `a purchase has two legs that balance`() async throws {
        try await House.open { house, gateway, service in
            let answer = try await service.present(try await gateway.pay("5000"))
            #expect(answer.status == 201, "\(answer)")
            let legs = try await house.books.texts(
                """
                SELECT concat_ws(' ', posting.side, regexp_replace(account.code, '/\\d+$', ''), posting.amount,
                    posting.currency)
                FROM posting JOIN account ON account.id = posting.account_id
                ORDER BY posting.currency, posting.side DESC, posting.amount DESC
                """)
            #expect(
                legs == [
                    "D coins:issued 500 COIN", "D coins:promotions 50 COIN",
                    "C wallet:ann:paid 500 COIN", "C wallet:ann:bonus 50 COIN",
                    "D gateway:receivable 5000 KRW", "C coins:deferred-revenue 5000 KRW",
                ])
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry") == 1)
            try await house.expectSound()
        }
    }

    @Test func `one receipt posted many times to two services is one purchase`() async throws {
        try await House.open { house, gateway, service in
            let other = try await house.serve(at: gateway)
            let payment = try await gateway.pay()
            let answers = try await Self.presentAtOnce(payment, times: 64, to: [service, other])
            #expect(answers.allSatisfy { $0.status == 200 || $0.status == 201 }, "\(answers.map(\.status))")
            #expect(answers.count { $0.status == 201 } == 1)
            #expect(Set(answers.map { $0.purchase.description }).count == 1)
            #expect(try await house.books.purchases == 1)
            #expect(try await service.coins() == 100)
            try await house.expectSound()
        }
    }

    @Test func `simultaneous posts of one receipt share the gateway's answer`() async throws {
        try await House.open { house, gateway, service in
            // A slow answer keeps the look-up under way while the posts come in.
            try await gateway.fail(#"{"path": "/payments", "kind": "delay", "delay_ms": 300, "times": 100}"#)
            let payment = try await gateway.pay()
            let answers = try await Self.presentAtOnce(payment, times: 64, to: [service])
            #expect(answers.allSatisfy { $0.status == 200 || $0.status == 201 }, "\(answers.map(\.status))")
            #expect(try await house.books.purchases == 1)
            let calls = try await gateway.journal("/payments").count
            #expect((1...8).contains(calls), "\(calls) calls for 64 posts")
        }
    }

    private static func presentAtOnce(
        _ payment: Payment, times: Int, to services: [Service]
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for number in 0..<times {
                let service = services[number % services.count]
                group.addTask { try await service.present(payment) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
