import TestSupport
import Testing

/// A receipt that can't be decided is kept, and credited without its client when it can.
@Suite(.serialized, .timeLimit(.minutes(20))) struct WaitingTests {
    @Test func `receipts are kept while the gateway is down, and credited when it is back`() async throws {
        try await House.open { house, gateway, service in
            await gateway.end()
            let payments = (0..<3).map { _ in Payment.unmade() }
            for payment in payments {
                let answer = try await service.present(payment)
                #expect(answer.status == 202 && answer.code == "gateway_unavailable", "\(answer)")
                #expect(answer.json["retryable"] == true)
            }
            #expect(try await house.books.receipts("waiting") == 3)
            try await eventually("it is asked again while the gateway is away") {
                try await house.books.count("SELECT min(attempts) FROM receipt_retry") >= 2
            }
            #expect(try await house.books.postings == 0)

            let back = try await house.startGateway(port: gateway.port)
            for payment in payments { try await back.pay(as: payment) }
            // One may have been asked when the gateway was back and the payment not made: its answer is no.
            for payment in payments { _ = try await service.present(payment) }
            try await eventually("all are credited") { try await service.coins() == 300 }
            try await house.books.makeReceiptsDue()
            try await eventually("none waits") { try await house.books.receipts("waiting") == 0 }
            #expect(try await house.books.purchases == 3)
            try await house.expectSound()
        }
    }

    @Test func `every failure of the gateway keeps the receipt`() async throws {
        // The limit ends what never answers; everything else may reach it, too, with the same answer.
        try await House.open(["LEDGERD_GATEWAY_TIMEOUT": "2s"]) { house, gateway, service in
            let faults = [
                #"{"path": "/payments", "kind": "timeout", "times": 50}"#,
                #"{"path": "/payments", "kind": "status", "status": 500, "times": 50}"#,
                #"{"path": "/payments", "kind": "status", "status": 404, "times": 50}"#,
                #"{"path": "/payments", "kind": "status", "status": 302, "times": 50}"#,
                #"{"path": "/payments", "kind": "garbage", "times": 50}"#,
                #"{"path": "/payments", "kind": "truncate", "times": 50}"#,
                #"{"path": "/payments", "kind": "reset", "times": 50}"#,
                #"{"path": "/users/getToken", "kind": "status", "status": 503, "times": 50}"#,
            ]
            for (number, fault) in faults.enumerated() {
                let payment = try await gateway.pay()
                if fault.contains("getToken") {
                    try await gateway.fail(#"{"path": "/payments", "kind": "token_expired", "times": 1}"#)
                }
                try await gateway.fail(fault)
                let answer = try await service.present(payment)
                #expect(answer.status == 202 && answer.code == "gateway_unavailable", "\(fault): \(answer)")
                try await gateway.fail(#"{"path": "*", "times": 0}"#)
                try await house.books.makeReceiptsDue()
                try await eventually("the receipt is credited after \(fault)") {
                    try await house.books.makeReceiptsDue()
                    return try await service.coins() == Int64(100 * (number + 1))
                }
            }
            #expect(try await house.books.purchases == Int64(faults.count))
            try await house.expectSound()
        }
    }

    @Test func `waiting receipts survive the process`() async throws {
        try await House.openProcess { house, gateway, service in
            let waiting = try await gateway.pay("1000", #", "status": "ready""#)
            #expect(try await service.present(waiting).status == 202)
            await gateway.end()
            let lost = Payment.unmade()
            #expect(try await service.present(lost).status == 202)
            try await house.kill(service.process)

            let back = try await house.startGateway(port: gateway.port)
            try await back.pay(as: lost)
            try await back.pay("1000", #", "status": "ready""#, as: waiting)
            let successor = try await house.serve(at: back)
            try await house.books.makeReceiptsDue()
            try await eventually("the one that is paid is credited") { try await successor.coins() == 100 }
            try await back.change(waiting, to: "paid")
            try await house.books.makeReceiptsDue()
            try await house.settled()
            #expect(try await successor.coins() == 200)
            #expect(try await house.books.receipts("credited") == 2)
            try await house.expectSound()
        }
    }

    @Test func `services share the waiting receipts`() async throws {
        try await House.open { house, gateway, service in
            let other = try await house.serve(at: gateway)
            var payments: [Payment] = []
            for number in 0..<40 {
                let payment = try await gateway.pay("1000", #", "status": "ready""#)
                let answer = try await (number % 2 == 0 ? service : other).present(payment, by: "client-\(number % 4)")
                #expect(answer.status == 202, "\(answer)")
                payments.append(payment)
            }
            for payment in payments { try await gateway.change(payment, to: "paid") }
            let asked = try await gateway.journal("/payments").count
            try await house.books.makeReceiptsDue()
            try await house.settled()
            #expect(try await house.books.receipts("credited") == 40)
            #expect(try await gateway.journal("/payments").count - asked <= 40, "each is asked about by one of them")
            #expect(try await house.books.purchases == 40)
            try await house.expectSound()
        }
    }

    @Test func `a receipt that the gateway decides against ends`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready""#)
            #expect(try await service.present(payment).status == 202)
            try await gateway.change(payment, to: "failed")
            try await house.books.makeReceiptsDue()
            try await house.settled()
            #expect(try await house.books.receipts("refused") == 1)
            #expect(try await house.books.texts("SELECT reason FROM receipt_retry") == ["payment_failed"])
            #expect(try await house.books.postings == 0)
            // The buyer paid in the same window after all, and the client asks again.
            try await gateway.change(payment, to: "paid")
            #expect(try await service.present(payment).status == 201)
        }
    }

    @Test func `a failed payment that is approved after all is credited to its presenter`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready", "version": "V1""#)
            #expect(try await service.present(payment).status == 202)
            try await gateway.change(payment, to: "failed")
            try await eventually("it is refused") {
                try await house.books.makeReceiptsDue()
                return try await house.books.receipts("refused") == 1
            }
            try await gateway.change(payment, to: "paid")
            try await eventually("it is credited") { try await service.coins() == 100 }
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `a payment of two presenters that is approved after all goes to nobody`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready", "version": "V1""#)
            for user in ["ann", "bob"] { #expect(try await service.present(payment, by: user).status == 202) }
            try await gateway.change(payment, to: "failed")
            try await eventually("both are refused") {
                try await house.books.makeReceiptsDue()
                return try await house.books.receipts("refused") == 2
            }
            try await gateway.change(payment, to: "paid")
            try await eventually("a person is asked") {
                try await service.findings().map { $0["kind"] } == ["paid_unclaimed"]
            }
            #expect(try await house.books.purchases == 0)
        }
    }

    @Test func `too many waiting receipts of one user are refused`() async throws {
        try await House.with { house in
            let service = try await house.serve()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<32 { group.addTask { try await service.present(.unmade()).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { $0 == 202 }, "\(statuses)")
            let refused = try await service.present(.unmade())
            #expect(refused.status == 429 && refused.code == "too_many_waiting_receipts", "\(refused)")
            #expect(refused.isProblem)
            #expect(refused.headers["Retry-After"] == "60")
            #expect(refused.json["retryable"] == true)
            #expect(try await service.present(.unmade(), by: "bob").status == 202, "another user's are not his fault")
            #expect(try await house.books.receipts("waiting") == 33)
        }
    }
}
