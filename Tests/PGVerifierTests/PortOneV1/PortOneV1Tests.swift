import FoundationEssentials
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct PortOneV1Tests {
    @Test func `a payment made at the gateway is described`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay(#""amount": 1000, "paid_at": 1700000060, "started_at": 1700000000"#)
            let payment = try await gateway.client().payment(for: receipt)
            #expect(payment.gateway == "portone-v1")
            #expect(payment.merchantUID == "order-1")
            #expect(payment.status == .paid)
            #expect(payment.amount == 1000)
            #expect(payment.cancelledAmount == 0)
            #expect(payment.currency == "KRW")
            #expect(payment.isTest == false)
            #expect(payment.startedAt == Date(timeIntervalSince1970: 1_700_000_000))
            #expect(payment.paidAt == Date(timeIntervalSince1970: 1_700_000_060))
            #expect(payment.failedAt == nil)
            #expect(payment.payMethod == "card")
        }
    }

    @Test(arguments: [
        (#""amount": 1000, "status": "ready", "pay_method": "vbank""#, GatewayPayment.Status.ready),
        (#""amount": 1000, "status": "failed", "fail_reason": "한도초과""#, .failed),
        (#""amount": 1000, "status": "cancelled""#, .cancelled),
        (#""amount": 1000, "status": "cancelled", "cancel_amount": 400"#, .partiallyCancelled),
    ])
    func `every status comes through`(members: String, status: GatewayPayment.Status) async throws {
        try await GatewayUnderTest.run { gateway in
            let payment = try await gateway.client().payment(for: try await gateway.pay(members))
            #expect(payment.status == status)
            #expect((payment.virtualAccountDue != nil) == (status == .ready))
            #expect((payment.failReason != nil) == (status == .failed))
        }
    }

    @Test func `decimals become minor units`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay(#""amount": 14.2, "currency": "USD""#)
            let payment = try await gateway.client().payment(for: receipt)
            #expect(payment.amount == 1420)
            #expect(payment.currency == "USD")
        }
    }

    @Test func `four decimals are read, and a currency that ISO 4217 does not have is not`() async throws {
        try await GatewayUnderTest.run { gateway in
            let fund = try await gateway.pay(#""amount": 1.0001, "currency": "CLF""#)
            #expect(try await gateway.client().payment(for: fund).amount == 10_001)
            let unknown = try await gateway.pay(#""amount": 14.2, "currency": "ZZZ""#, merchantUID: "order-2")
            #expect(try await failure(of: gateway.client(), unknown)?.code == .unreadablePayment)
        }
    }

    @Test func `an unknown imp_uid is definitely not found`() async throws {
        try await GatewayUnderTest.run { gateway in
            let error = try await failure(of: gateway.client())
            #expect(error?.code == .notFound)
            #expect(error?.isDefinite == true)
            #expect(error?.httpStatus == 404)
            #expect(error?.gatewayCode == -1)
        }
    }

    @Test func `a test payment is seen only by those who ask for it`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay(#""amount": 1000, "sandbox": true"#)
            #expect(try await failure(of: gateway.client(), receipt)?.code == .notFound)
            let payment = try await gateway.client(includeTestPayments: true).payment(for: receipt)
            #expect(payment.isTest == true)
        }
    }

    @Test func `64 callers share one token`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            try await ask(gateway.client(), receipt, times: 64)
            #expect(try await gateway.journal("/users/getToken").count == 1)
            // Those that came while eight calls were under way shared calls.
            #expect((1...64).contains(try await gateway.journal("/payments").count))
        }
    }

    @Test func `a token in its last minute is renewed while calls go on`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let time = ManualTime()
            let client = gateway.client(time: time)
            try await ask(client, receipt, times: 4)
            await time.advance(by: .seconds(1739))
            try await ask(client, receipt, times: 4)
            #expect(try await gateway.journal("/users/getToken").count == 1)
            await time.advance(by: .seconds(2))
            try await ask(client, receipt, times: 64)
            try await gateway.waitForTokens(2)
            try await ask(client, receipt, times: 4)
            #expect(try await gateway.journal("/users/getToken").count == 2)
        }
    }

    @Test func `a token that ends in flight is renewed once, and every call is repeated once`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            try await ask(client, receipt, times: 1)
            try await gateway.fault(#""kind": "token_expired", "path": "/payments""#)
            try await ask(client, receipt, times: 64)
            #expect(try await gateway.journal("/users/getToken").count == 2)
            #expect(try await gateway.journal("/payments").count <= 1 + 128)
        }
    }

    @Test func `a token refused twice isn't tried a third time`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            try await gateway.fault(#""kind": "status", "status": 401, "path": "/payments", "times": 100"#)
            let error = try await failure(of: gateway.client(), receipt)
            #expect(error?.code == .unauthorized)
            #expect(error?.isDefinite == false)
            #expect(try await gateway.journal("/payments").count == 2)
            #expect(try await gateway.journal("/users/getToken").count == 2)
        }
    }

    @Test func `a wrong secret doesn't hammer the gateway`() async throws {
        try await GatewayUnderTest.run { gateway async throws in
            let time = ManualTime()
            let client = gateway.client(secret: "wrong", time: time)
            for _ in 0..<10 { #expect(try await failure(of: client)?.code == .unauthorized) }
            #expect(try await gateway.journal("/users/getToken").count == 1)
            await time.advance(by: .seconds(6))
            #expect(try await failure(of: client)?.code == .unauthorized)
            #expect(try await gateway.journal("/users/getToken").count == 2)
            #expect(try await gateway.journal("/payments").isEmpty)
        }
    }

    @Test func `connections are kept`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            for _ in 0..<10 { _ = try await client.payment(for: receipt) }
            #expect(Set(try await gateway.journal("/payments").map { $0["connection"] }).count == 1)
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct PortOneV1FaultTests {
    @Test(arguments: [
        ("timeout", GatewayError.Code.timeout), ("reset", .connectionLost), ("truncate", .connectionLost),
        ("slow", .timeout), ("garbage", .malformedAnswer), ("refusal", .refused), ("status", .serverError),
    ])
    func `whatever goes wrong leaves the truth unknown`(kind: String, code: GatewayError.Code) async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let time = ManualTime()
            let client = gateway.client(time: time)
            let delay = code == .timeout ? #", "delay_ms": 600000"# : ""
            try await gateway.fault(#""kind": "\#(kind)", "path": "/payments", "times": 3\#(delay)"#)
            let asking = Task { try await failure(of: client, receipt) }
            if code == .timeout {
                try await gateway.isAsked("/payments")
                await time.advance(by: .seconds(3600))
            }
            let error = try await asking.value
            #expect(error?.code == code)
            #expect(error?.isDefinite == false)
            #expect(verdict(after: error ?? GatewayError(.refused, message: "")) == .wait(.gatewayUnavailable))
            try await gateway.fault(#""times": 0"#)
            #expect(try await gateway.client().payment(for: receipt).status == .paid)
        }
    }

    @Test(arguments: [
        (302, GatewayError.Code.redirect), (404, .malformedAnswer), (400, .malformedAnswer), (429, .rateLimited),
        (500, .serverError), (503, .serverError), (204, .malformedAnswer),
    ])
    func `a status from before the gateway is never its word`(status: Int, code: GatewayError.Code) async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            try await gateway.fault(#""kind": "status", "status": \#(status), "path": "/payments""#)
            let error = try await failure(of: gateway.client(), receipt)
            #expect(error?.code == code)
            #expect(error?.isDefinite == false)
            #expect(error?.httpStatus == status)
            #expect((error?.retryAfter != nil) == [429, 503].contains(status))
        }
    }

    @Test func `a token that doesn't come in time ends the call`() async throws {
        try await GatewayUnderTest.run { gateway in
            try await gateway.fault(#""kind": "timeout", "path": "/users/getToken""#)
            let time = ManualTime()
            let client = gateway.client(time: time)
            await withTaskGroup(of: GatewayError.Code?.self) { group in
                for _ in 0..<16 { group.addTask { try? await failure(of: client)?.code } }
                // Who asks after a move has all the time from then on.
                let moving = Task {
                    while !Task.isCancelled {
                        try? await time.untilAsleep()
                        await time.advance(by: .seconds(3600))
                    }
                }
                for await code in group { #expect(code == .timeout) }
                moving.cancel()
            }
            #expect(try await failure(of: gateway.client())?.code == .notFound)
        }
    }

    @Test func `a cancelled caller doesn't wait for the token that others wait for`() async throws {
        try await GatewayUnderTest.run { gateway in
            try await gateway.fault(#""kind": "timeout", "path": "/users/getToken""#)
            let client = gateway.client()
            let task = Task { try await client.payment(for: stranger) }
            try await gateway.isAsked("/users/getToken")
            task.cancel()
            let error = await #expect(throws: GatewayError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func `an answer larger than the bound is refused`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            #expect(try await failure(of: gateway.client(maxResponseBytes: 100), receipt)?.code == .tooLarge)
        }
    }
}

extension GatewayUnderTest {
    fileprivate func waitForTokens(_ count: Int) async throws {
        try await eventually("tokens are given") {
            try await journal("/users/getToken").count { $0["status"] == .number("200") } >= count
        }
    }
}

private var stranger: Receipt {
    get throws { .v1(impUID: try ImpUID("imp_000000000000"), merchantUID: try MerchantUID("order-1")) }
}

private func ask(_ client: PortOneV1, _ receipt: Receipt, times: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<times {
            group.addTask {
                let payment = try await client.payment(for: receipt)
                #expect(payment.status == .paid)
            }
        }
        try await group.waitForAll()
    }
}

/// Asks about `receipt`, or about a payment that nobody made.
private func failure(of client: PortOneV1, _ receipt: Receipt? = nil) async throws -> GatewayError? {
    let stranger = try stranger
    return await #expect(throws: GatewayError.self) { try await client.payment(for: receipt ?? stranger) }
}
