import TestSupport
import Testing

/// V2's payments, from receipt to claw-back.
@Suite(.serialized, .timeLimit(.minutes(20))) struct V2Tests {
    @Test func `a V2 receipt is credited once`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "V2""#)
            let first = try await service.present(paymentID: payment.merchantUID)
            #expect(first.status == 201, "\(first)")
            #expect(first.purchase["payment_id"].text == payment.merchantUID)
            let second = try await service.present(paymentID: payment.merchantUID)
            #expect(second.status == 200 && second.purchase == first.purchase, "\(second)")
            let others = try await service.present(paymentID: payment.merchantUID, by: "bob")
            #expect(others.code == "receipt_belongs_to_another_user", "\(others)")
            #expect(try await house.books.purchases == 1)
            #expect(try await service.coins() == 100)
            try await house.expectSound()
        }
    }

    @Test func `a virtual account is credited when the money comes and clawed back when it goes`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay(
                "1000", #", "version": "V2", "status": "VIRTUAL_ACCOUNT_ISSUED", "pay_method": "vbank""#)
            let waiting = try await service.present(paymentID: payment.merchantUID)
            #expect(waiting.status == 202 && waiting.code == "awaiting_payment", "\(waiting)")
            try await house.books.postponeReceipts()
            try await gateway.change(payment, to: "PAID")
            try await eventually("it is credited") { try await service.coins() == 100 }
            #expect(try await service.findings().isEmpty)
            #expect(try await house.books.count("SELECT count(*) FROM finding") == 0, "somebody had claimed it")
            try await gateway.change(payment, to: "CANCELLED")
            try await eventually("it is clawed back") { try await service.coins() == 0 }
            #expect(try await house.books.texts("SELECT status FROM purchase") == ["refunded"])
            try await house.expectSound()
        }
    }

    @Test func `a V2 payment that nobody claims is a finding until somebody does`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "V2""#)
            try await eventually("it is found") { try await service.findings().count == 1 }
            #expect(try await service.findings()[0]["payment_id"].text == payment.merchantUID)
            #expect(try await service.present(paymentID: payment.merchantUID).status == 201)
            #expect(try await service.findings().isEmpty)
        }
    }

    @Test func `a payment of the test channel or of another store is no purchase`() async throws {
        try await House.openNotified { house, gateway, service in
            let test = try await gateway.pay("1000", #", "version": "V2", "sandbox": true"#)
            let answer = try await service.present(paymentID: test.merchantUID)
            #expect(answer.code == "test_payment" && answer.isProblem, "\(answer)")
            let foreign = try await gateway.pay("1000", #", "version": "V2", "store_id": "store-of-others""#)
            let refused = try await service.present(paymentID: foreign.merchantUID)
            #expect(refused.code == "payment_not_found" && refused.isProblem, "\(refused)")
            let unknown = try await service.present(paymentID: "never-made")
            #expect(unknown.code == "payment_not_found" && unknown.isProblem, "\(unknown)")
            #expect(try await house.books.postings == 0)
            #expect(try await house.books.count("SELECT count(*) FROM receipt_retry") == 0)
            try await eventually("their events are worked off") {
                try await house.books.makeAllDue()
                return try await house.books.count("SELECT count(*) FROM webhook_event WHERE decided_at IS NOT NULL")
                    == 2
            }
            #expect(try await service.findings().isEmpty, "no money was taken that is ours")
        }
    }
}
