import TestSupport
import Testing

/// Whatever the gateway does instead of answering, the caller is answered in time, and the coins come when it is over.
@Suite(.timeLimit(.minutes(20))) struct FaultTests {
    static let faults = [
        #""kind": "timeout""#, #""kind": "reset""#, #""kind": "status", "status": 429"#,
        #""kind": "status", "status": 500"#, #""kind": "status", "status": 502"#, #""kind": "status", "status": 503"#,
        #""kind": "status", "status": 302"#, #""kind": "garbage""#, #""kind": "refusal""#, #""kind": "truncate""#,
        #""kind": "slow", "delay_ms": 1000"#,
    ]

    @Test(arguments: faults)
    func `a fault is answered in time and credited afterwards`(_ fault: String) async throws {
        try await House.open(["LEDGERD_GATEWAY_TIMEOUT": "3s"]) { house, gateway, service in
            let payment = try await gateway.pay()
            try await gateway.fail(#"{"path": "/payments", "times": 1000, \#(fault)}"#)
            let start = ContinuousClock.now
            let answer = try await service.present(payment)
            let asked = try await gateway.journal("/payments")
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(answer.status == 202 && answer.code == "gateway_unavailable", "\(answer)")
            // libcurl itself repeats, at once, what a kept connection was reset under: one more, that nobody counts.
            let most = fault.contains("reset") ? 4 : 3
            #expect((1...most).contains(asked.count), "asked \(asked.count) times")
            #expect(try await gateway.journal("/users/getToken").count == 1)
            #expect(try await house.books.postings == 0)
            #expect(try await house.books.receipts("waiting") == 1)

            try await gateway.fail(#"{"path": "*", "times": 0}"#)
            try await Self.expectOneCredit(house, service)
        }
    }

    @Test func `a gateway that refuses connections is answered in time and credited afterwards`() async throws {
        try await House.open(["LEDGERD_GATEWAY_TIMEOUT": "3s"]) { house, gateway, service in
            try await house.kill(gateway.process)
            let payment = Payment.unmade()
            let start = ContinuousClock.now
            let answer = try await service.present(payment)
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(answer.status == 202 && answer.code == "gateway_unavailable", "\(answer)")
            #expect(try await house.books.postings == 0)

            // Made before the service can ask, or the answer would be that there is no such payment.
            service.process.signal(19)
            let back = try await house.startGateway(port: gateway.port)
            try await back.pay(as: payment)
            service.process.signal(18)
            try await Self.expectOneCredit(house, service)
        }
    }

    @Test func `a token that expires under many receipts is refreshed once`() async throws {
        try await House.open(["LEDGERD_GATEWAY_TIMEOUT": "3s"]) { house, gateway, service in
            var payments: [Payment] = []
            for _ in 0..<65 { payments.append(try await gateway.pay()) }
            #expect(try await service.present(payments[64]).status == 201)
            try await gateway.fail(#"{"path": "/payments", "kind": "token_expired", "times": 1}"#)
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for payment in payments[..<64] { group.addTask { try await service.present(payment) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 }, "\(answers.filter { $0.status != 201 })")
            #expect(try await gateway.journal("/users/getToken").count == 2, "the first one, and its successor")
            #expect(try await house.books.purchases == 65)
            try await house.expectSound()
        }
    }

    /// Nobody asks any more; backoffs are skipped.
    private static func expectOneCredit(_ house: House, _ service: Service) async throws {
        try await eventually("it is credited") {
            try await house.books.makeReceiptsDue()
            return try await house.books.receipts("credited") == 1
        }
        #expect(try await service.coins() == 100)
        #expect(try await house.books.purchases == 1)
        try await house.expectSound()
    }
}
