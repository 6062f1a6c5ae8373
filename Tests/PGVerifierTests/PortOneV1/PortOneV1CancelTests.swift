import FoundationEssentials
import OutboundHTTP
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct PortOneV1CancelTests {
    @Test func `a payment is cancelled in parts, then whole`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            let part = try await client.cancel(.sample(of: receipt, 300, key: "first-cancellation"))
            let cancellation = try #require(part.cancellation)
            #expect(cancellation.amount == 300)
            #expect(cancellation.reason == "[first-cancellation] because")
            let rest = try await client.cancel(.sample(of: receipt, 700, left: 700, key: "second-cancellation"))
            #expect(rest.cancellation?.amount == 700)
            let payment = try await client.payment(for: receipt)
            #expect(payment.status == .cancelled)
            #expect(payment.cancellations.map(\.amount) == [300, 700])
            #expect(Set(payment.cancellations.map(\.id)).count == 2)
            #expect(payment.cancellations[0] == cancellation)
        }
    }

    @Test func `amount and balance are always said, and nothing is asked that can't be`() async throws {
        let gateway = ScriptedGateway(.answer(200, refusal), .answer(200, envelope(paid(""))))
        let client = try client(gateway)
        for (amount, balance) in [(0, 1000), (-1, 1000), (1001, 1000), (1, 0)] as [(Int64, Int64)] {
            let outcome = try await client.cancel(.sampleV1(amount, left: balance))
            #expect(outcome.refusal?.reason == .invalidAmount)
        }
        #expect(gateway.requests.isEmpty)
        var dollars = try CancellationRequest.sampleV1(1420, left: 5000)
        dollars.currency = "USD"
        dollars.refundAccount = CancellationRequest.Account(bank: "004", number: "123", holder: "홍길동", phone: "010")
        _ = try await client.cancel(dollars)
        #expect(
            gateway.requests[0].text
                == #"{"amount":14.20,"checksum":50.00,"imp_uid":"imp_1","reason":"[a-cancellation-key] because","#
                + #""refund_account":"123","refund_bank":"004","refund_holder":"홍길동","refund_tel":"010"}"#)
    }

    @Test func `the tax-free part is sent in the payment's currency, also one of 0`() async throws {
        let parts: [(String, Int64, String)] = [("KRW", 90, "90"), ("KRW", 0, "0"), ("USD", 90, "0.90")]
        for (currency, part, text) in parts {
            let gateway = ScriptedGateway(.answer(200, refusal), .answer(200, envelope(paid(""))))
            var request = try CancellationRequest.sampleV1(300)
            request.currency = currency
            request.taxFree = part
            _ = try await client(gateway).cancel(request)
            #expect(gateway.requests[0].text.hasSuffix(#","tax_free":\#(text)}"#), "\(gateway.requests[0].text)")
        }
    }

    @Test func `an amount in an unknown currency is refused here`() async throws {
        let gateway = ScriptedGateway()
        var request = try CancellationRequest.sampleV1(300)
        request.currency = "ZZZ"
        #expect(try await client(gateway).cancel(request).refusal?.reason == .invalidAmount)
        #expect(gateway.requests.isEmpty)
    }

    @Test func `whoever believes in another balance is refused, and nothing happens`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            let outcome = try await client.cancel(.sample(of: receipt, 300, left: 900))
            #expect(outcome.refusal?.reason == .balanceChanged)
            #expect(try await client.payment(for: receipt).cancelledAmount == 0)
        }
    }

    @Test func `what is cancelled already, was never paid or isn't there gets different answers`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = gateway.client()
            let cancelled = try await gateway.pay(#""amount": 1000, "status": "cancelled""#)
            #expect(try await client.cancel(.sample(of: cancelled, 1000)).refusal?.reason == .alreadyCancelled)
            let ready = try await gateway.pay(#""amount": 1000, "status": "ready""#, merchantUID: "order-2")
            #expect(try await client.cancel(.sample(of: ready, 1000)).refusal?.reason == .paymentNotPaid)
            let stranger = try await client.cancel(.sampleV1())
            #expect(stranger.refusal?.reason == .paymentNotFound)
        }
    }

    @Test func `the payment company's refusal is one, with its words`() async throws {
        let gateway = ScriptedGateway(.answer(200, refusal), .answer(200, envelope(paid(""))))
        let outcome = try await client(gateway).cancel(.sampleV1())
        #expect(outcome.refusal?.reason == .refusedByGateway)
        #expect(outcome.refusal?.gatewayCode == "-1")
        #expect(outcome.refusal?.message == "취소 가능 기간 초과")
    }

    @Test func `a cancellation that was carried out and never answered is found, and not repeated`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let time = ManualTime()
            let client = gateway.client(maxAttempts: 3, time: time)
            try await gateway.fault(#""kind": "timeout", "path": "/payments/cancel", "delay_ms": 600000"#)
            let request = try CancellationRequest.sample(of: receipt, 300)
            let cancellation = Task { try await client.cancel(request) }
            try await gateway.isAsked("/payments/cancel")
            await time.advance(by: .seconds(3600))
            let error = await #expect(throws: GatewayError.self) { try await cancellation.value }
            #expect(error?.code == .timeout && error?.isDefinite == false)
            try await eventually("the gateway has carried it out") { try await client.outcome(of: request) != nil }
            let known = try await client.outcome(of: request)
            #expect(known?.cancellation?.amount == 300)
            // The very same request again finds what it did before.
            #expect(try await client.cancel(request) == known)
            #expect(try await client.payment(for: receipt).cancelledAmount == 300)
        }
    }

    @Test func `within one call a lost answer is asked about before anything is repeated`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            try await gateway.fault(#""kind": "truncate", "path": "/payments/cancel""#)
            let outcome = try await gateway.client(maxAttempts: 3).cancel(.sample(of: receipt, 300))
            #expect(outcome.cancellation?.amount == 300)
            #expect(try await gateway.journal("/payments/cancel").count == 1)
        }
    }

    @Test func `a request that was lost on its way is not repeated at once, for the gateway may be at it`() async throws
    {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            try await gateway.fault(#""kind": "reset", "path": "/payments/cancel", "times": 1"#)
            let client = gateway.client(maxAttempts: 3)
            let request = try CancellationRequest.sample(of: receipt, 300)
            let error = await #expect(throws: GatewayError.self) { try await client.cancel(request) }
            #expect(error?.code == .connectionLost)
            #expect(try await gateway.journal("/payments/cancel").count == 1)
            #expect(try await client.cancel(request).cancellation?.amount == 300)
            #expect(try await client.payment(for: receipt).cancelledAmount == 300)
        }
    }

    @Test func `a request that may have arrived is what the error is about, not the look-up after it`() async throws {
        let gateway = ScriptedGateway(.fail(.connectionLost), .fail(.unreachable))
        let error = await #expect(throws: GatewayError.self) {
            try await client(gateway).cancel(.sampleV1())
        }
        #expect(error?.code == .connectionLost && error?.mayHaveBeenCarriedOut == true)
        let away = await #expect(throws: GatewayError.self) {
            try await client(ScriptedGateway(.fail(.unreachable))).cancel(.sampleV1())
        }
        #expect(away?.mayHaveBeenCarriedOut == false)
    }

    @Test func `without a token nothing was cancelled, and it is tried again`() async throws {
        let failing = ScriptedGateway.Step.fail(.timeout)
        let lost = ScriptedGateway([.answer(200, refusal)], tokens: [failing, failing, failing])
        let error = await #expect(throws: GatewayError.self) {
            try await client(lost).cancel(.sampleV1())
        }
        #expect(error?.code == .timeout && error?.mayHaveBeenCarriedOut == false && lost.requests.isEmpty)
        let back = ScriptedGateway(
            [.answer(200, envelope(paid(""))), .answer(200, refusal), .answer(200, envelope(paid("")))],
            tokens: [failing])
        let outcome = try await client(back).cancel(.sampleV1())
        #expect(outcome.refusal?.reason == .refusedByGateway)
        #expect(back.requests.map(\.method) == [.get, .post, .get])
    }

    @Test func `a look-up without an answer doesn't make a cancellation uncertain that was turned away`() async throws {
        let gateway = ScriptedGateway(.answer(429, "{}"), .fail(.timeout))
        let error = await #expect(throws: GatewayError.self) {
            try await client(gateway).cancel(.sampleV1())
        }
        #expect(error?.code == .timeout && error?.mayHaveBeenCarriedOut == false)
        #expect(gateway.requests.filter { $0.method == .post }.count == 1)
    }

    @Test func `nothing is sent in the second half of the time limit`() async throws {
        let timing = InstantTiming()
        let busy = ScriptedGateway.Step.answer(429, "", headers: "Retry-After: 31\r\n")
        let gateway = ScriptedGateway(busy, .answer(200, envelope(paid(""))))
        let error = await #expect(throws: GatewayError.self) {
            try await client(gateway, timing).cancel(.sampleV1())
        }
        #expect(gateway.requests.filter { $0.method == .post }.count == 1)
        #expect(error?.mayHaveBeenCarriedOut == false)
    }

    @Test func `a connection that was kept and is reset makes nobody but us repeat a cancellation`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            _ = try await client.payment(for: receipt)  // leaves a connection open
            try await gateway.fault(#""kind": "reset", "path": "/payments/cancel", "times": 9"#)
            let error = await #expect(throws: GatewayError.self) {
                try await client.cancel(.sample(of: receipt, 300))
            }
            #expect(error?.code == .connectionLost)
            #expect(try await gateway.journal("/payments/cancel").count == 1)
        }
    }

    @Test func `nothing is known of a cancellation that never reached the gateway`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            #expect(try await gateway.client().outcome(of: .sample(of: receipt, 300)) == nil)
        }
    }

    @Test func `an answer that doesn't show the cancellation means that it comes later`() async throws {
        let gateway = ScriptedGateway(.answer(200, envelope(paid(""))))
        #expect(try await client(gateway).cancel(.sampleV1()) == .pending(nil))
    }

    @Test func `ten of the same request at once cancel once`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            let request = try CancellationRequest.sample(of: receipt, 300)
            let outcomes = try await withThrowingTaskGroup(of: CancellationOutcome.self) { group in
                for _ in 0..<10 { group.addTask { try await client.cancel(request) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(outcomes.count == 1)
            #expect(outcomes.first?.cancellation?.amount == 300)
            #expect(try await client.payment(for: receipt).cancelledAmount == 300)
        }
    }
}

private let refusal = #"{"code":-1,"message":"취소 가능 기간 초과","response":null}"#

private func envelope(_ response: String) -> String { #"{"code":0,"message":null,"response":\#(response)}"# }

private func paid(_ members: String) -> String {
    #"{"imp_uid":"imp_1","merchant_uid":"o","status":"paid","sandbox":false,"amount":1000,"currency":"KRW"\#(members)}"#
}

private func client(_ gateway: ScriptedGateway, _ timing: InstantTiming? = nil) throws -> PortOneV1 {
    PortOneV1(
        configuration: PortOneV1Configuration(
            url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret"),
        transport: gateway, logger: .quiet, timing: (timing ?? InstantTiming()).timing)
}
