import TestSupport
import Testing

/// What happens at the gateway is followed without any client.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FollowTests {
    @Test func `a waiting receipt is credited when the money comes`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay(
                "1000", #", "version": "V1", "status": "ready", "pay_method": "vbank""#)
            let waiting = try await service.present(payment)
            #expect(waiting.status == 202 && waiting.code == "awaiting_payment", "\(waiting)")
            try await house.books.postponeReceipts()
            try await gateway.change(payment, to: "paid")
            try await eventually("it is credited") { try await service.coins() == 100 }
            try await house.settled()
            #expect(try await house.books.purchases == 1)
            #expect(try await house.books.receipts("credited") == 1)
            #expect(try await service.findings().isEmpty)
        }
    }

    @Test func `a payment that nobody claims is a finding until somebody does`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "V1""#)
            try await eventually("it is found") { try await service.findings().count == 1 }
            let finding = try await service.findings()[0]
            #expect(finding["kind"] == "paid_unclaimed")
            #expect(finding["imp_uid"].text == payment.impUID)
            #expect(finding["merchant_uid"].text == payment.merchantUID)
            #expect(finding["amount"] == 1000)
            // An event that waits takes in what comes of the same payment.
            try await house.settled()
            #expect(try await house.books.events("done") == 1)
            for token in [nil, Token.user("ann"), Token.service()] {
                let answer = try await service.get("/v1/findings", as: token)
                #expect(answer.status == (token == nil ? 401 : 403) && answer.isProblem, "\(answer)")
            }
            #expect(try await house.books.postings == 0)

            #expect(try await service.present(payment).status == 201)
            #expect(try await service.findings().isEmpty)
            // Hearing of it again does not bring it back.
            try await gateway.change(payment, to: "paid")
            try await eventually("both are worked off") { try await house.books.events("done") == 2 }
            #expect(try await service.findings().isEmpty)
        }
    }

    @Test func `the finding of an unclaimed payment closes when it is cancelled`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "V1""#)
            try await eventually("it is found") { try await service.findings().count == 1 }
            try await gateway.change(payment, to: "cancelled")
            try await eventually("it is no matter") { try await service.findings().isEmpty }
            #expect(try await house.books.postings == 0)
            let late = try await service.present(payment)
            #expect(late.code == "payment_cancelled" && late.isProblem, "\(late)")
        }
    }

    @Test func `a payment that was claimed in vain is one finding`() async throws {
        try await House.openNotified { house, gateway, service in
            let odd = try await gateway.pay("1234", #", "version": "V1""#)
            try await eventually("it is found") { try await service.findings().count == 1 }
            try await house.settled()
            #expect(try await house.books.events("done") == 1)
            let refused = try await service.present(odd)
            #expect(refused.code == "amount_mismatch" && refused.isProblem, "\(refused)")
            try await gateway.change(odd, to: "paid")
            try await eventually("both events are worked off") { try await house.books.events("done") == 2 }
            let findings = try await service.findings()
            #expect(findings.map { $0["kind"] } == ["amount_mismatch"], "somebody has claimed it: \(findings)")
            #expect(findings.map { $0["user"] } == ["ann"])
            try await gateway.change(odd, to: "cancelled")
            try await eventually("it is no matter") { try await service.findings().isEmpty }
        }
    }

    @Test func `a partly cancelled payment that nobody claimed is one finding`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("5000", #", "version": "V1""#)
            try await eventually("it is found") { try await service.findings().count == 1 }
            try await gateway.cancel(payment, 1000)
            try await eventually("it is another matter") {
                try await service.findings().map { $0["kind"] } == ["payment_partially_cancelled"]
            }
            try await gateway.cancel(payment, 4000)
            try await eventually("it is no matter") { try await service.findings().isEmpty }
            #expect(try await house.books.postings == 0)
        }
    }

    @Test func `a cancellation is clawed back once`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("5000", #", "version": "V1""#))
            #expect(try await service.coins() == 550)
            try await gateway.change(payment, to: "cancelled")
            try await eventually("it is clawed back") { try await service.coins() == 0 }
            let postings = try await house.books.postings
            for _ in 0..<3 {
                #expect(try await service.tellV1(Hooks.v1(payment, "cancelled")).status == 200)
            }
            try await house.settled()
            #expect(try await house.books.events("waiting") == 0)
            #expect(try await house.books.postings == postings)
            #expect(try await service.coins() == 0)
            let history = try await service.get("/v1/me/purchases", as: Token.user("ann"))
            #expect(history.json["purchases"].elements.map { $0["status"] } == ["refunded"])
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry") == 2)
            try await house.expectSound()
        }
    }

    @Test func `a partial cancellation is clawed back, and then the rest`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("5000", #", "version": "V1""#))
            try await gateway.cancel(payment, 1000)
            try await eventually("a part is clawed back") { try await service.coins() == 440 }
            #expect(
                try await house.books.texts("SELECT status || ' ' || refunded_amount FROM purchase")
                    == ["partially_refunded 1000"])
            try await gateway.cancel(payment, 4000)
            try await eventually("the rest is clawed back") { try await service.coins() == 0 }
            #expect(
                try await house.books.texts("SELECT status || ' ' || refunded_amount FROM purchase")
                    == ["refunded 5000"])
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry") == 3)
            try await house.expectSound()
        }
    }

    @Test func `what the event says decides nothing`() async throws {
        try await House.open { house, gateway, service in
            let paid = try await service.credited(try await gateway.pay())
            let ready = try await gateway.pay("1000", #", "status": "ready""#)
            #expect(try await service.present(ready).status == 202)
            for event in [Hooks.v1(paid, "cancelled"), Hooks.v1(paid, "failed"), Hooks.v1(ready, "paid")] {
                #expect(try await service.tellV1(event).status == 200)
            }
            // The two of one payment are one, if the first still waited when the second came.
            try await eventually("all are worked off") {
                let waiting = try await house.books.events("waiting")
                return try await house.books.events("done") >= 2 && waiting == 0
            }
            #expect(try await service.coins() == 100)
            #expect(try await house.books.purchases == 1)
            try await house.expectSound()
        }
    }

    @Test func `events survive a power cut`() async throws {
        try await House.openProcess { house, gateway, service in
            let credited = try await service.credited(try await gateway.pay())
            await gateway.end()
            let unclaimed = Payment.unmade()
            for event in [Hooks.v1(credited, "cancelled"), Hooks.v1(unclaimed, "paid")] {
                #expect(try await service.tellV1(event).status == 200)
            }
            try await house.kill(service.process)
            #expect(try await house.books.events("waiting") == 2)

            let back = try await house.startGateway(port: gateway.port)
            try await back.pay(as: credited)
            try await back.change(credited, to: "cancelled")
            try await back.pay(as: unclaimed)
            let successor = try await house.serve(at: back)
            try await eventually("both are worked off") {
                try await house.books.makeAllDue()
                return try await house.books.events("done") == 2
            }
            #expect(try await successor.coins() == 0)
            #expect(try await successor.findings().map { $0["imp_uid"].text } == [unclaimed.impUID])
            try await house.expectSound()
        }
    }
}
