import TestSupport
import Testing

/// Payments given back with V2, which tells of its cancellations unasked.
@Suite(.serialized, .timeLimit(.minutes(20))) struct V2RefundTests {
    @Test func `our own cancellation is reported to us and not clawed back`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("5000", #", "version": "V2""#)
            let id = try await buy(payment, service)
            for (number, coins) in [120, 80].enumerated() {
                let answer = try await service.refund(id, #", "coins": \#(coins)"#, key: "part-\(number)")
                #expect(answer.status == 201, "\(answer)")
            }
            try await eventually("the gateway's events are worked off") {
                try await house.books.makeAllDue()
                return try await house.books.events("done") >= 3  // paid, and two cancellations
            }
            #expect(try await service.coins() == 550 - 220)
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry WHERE kind = 'claw_back'") == 0)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test(arguments: ["SUCCEEDED", "FAILED"])
    func `a cancellation that is only requested waits until the gateway reports it`(_ end: String) async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "V2", "cancel_outcome": "requested""#)
            let id = try await buy(payment, service)
            let first = try await service.refund(id)
            #expect(first.status == 202 && first.json["refund"]["status"] == "pending", "\(first)")
            try await gateway.settle(payment, end)
            try await house.waitUntilDecided()
            let again = try await service.refund(id)
            #expect(again.status == (end == "FAILED" ? 422 : 201), "\(again)")
            #expect(try await service.coins() == (end == "FAILED" ? 100 : 0))
            #expect(try await gateway.journal("/payments/\(payment.merchantUID)/cancel").count == 1)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `a cancellation by hand that made the gateway refuse is followed afterwards`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("5000", #", "version": "V2""#)
            let id = try await buy(payment, service)
            try await eventually("all events are processed") {
                let (done, waiting) = (try await house.books.events("done"), try await house.books.events("waiting"))
                return done > 0 && waiting == 0
            }
            // The console cancels a part, of which no event comes; then our refund believes in a balance that is gone.
            try await gateway.drive(
                .put, "/sandbox/webhooks/plan", #"{"act": "drop", "api": "V2", "times": 1}"#)
            try await gateway.cancel(payment, 1000)
            let answer = try await service.refund(id, #", "coins": 100"#)
            #expect(answer.status == 422 && answer.json["reason"] == "balance_changed", "\(answer)")
            try await eventually("the part is clawed back") { try await service.coins() == 440 }
            #expect(try await service.refund(id, #", "coins": 100"#, key: "refund-2").status == 201)
            #expect(try await service.coins() == 330)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `a cancellation by hand beside a pending refund is followed after its decision`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "V2""#)
            let id = try await buy(payment, service)
            // Our request takes a while to be carried out, and the console is faster.
            try await gateway.fail(#"{"kind": "stall", "path": "/payments/*/cancel", "delay_ms": 1500}"#)
            async let refund = service.refund(id, #", "coins": 50"#)
            try await eventually("the request is on its way") {
                try await gateway.journal("/payments/\(payment.merchantUID)/cancel").count == 1
            }
            try await gateway.change(payment, to: "CANCELLED")
            let answer = try await refund
            #expect(answer.status == 422 && answer.json["reason"] == "already_cancelled", "\(answer)")
            try await eventually("all of it is clawed back") { try await service.coins() == 0 }
            #expect(
                try await house.books.count("SELECT count(*) FROM account WHERE code LIKE 'debt:%' AND balance > 0")
                    == 0)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    private func buy(_ payment: Payment, _ service: Service) async throws -> Int64 {
        let answer = try await service.present(paymentID: payment.merchantUID)
        return try #require(answer.purchase["id"].integer, "\(answer)")
    }
}
