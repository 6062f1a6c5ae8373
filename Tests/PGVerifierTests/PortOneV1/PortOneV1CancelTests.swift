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
            let part = try await client.cancel(request(receipt, 300, of: 1000, key: "first-cancellation"))
            let cancellation = try #require(part.cancellation)
            #expect(cancellation.amount == 300)
            #expect(cancellation.reason == "[first-cancellation] because")
            let rest = try await client.cancel(request(receipt, 700, of: 700, key: "second-cancellation"))
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
        let receipt = try receipt()
        for (amount, balance) in [(0, 1000), (-1, 1000), (1001, 1000), (1, 0)] as [(Int64, Int64)] {
            let outcome = try await client.cancel(request(receipt, amount, of: balance))
            #expect(outcome.refusal?.reason == .invalidAmount)
        }
        #expect(gateway.requests.isEmpty)
        var dollars = try request(receipt, 1420, of: 5000)
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
            var request = try request(receipt(), 300, of: 1000)
            request.currency = currency
            request.taxFree = part
            _ = try await client(gateway).cancel(request)
            #expect(gateway.requests[0].text.hasSuffix(#","tax_free":\#(text)}"#), "\(gateway.requests[0].text)")
        }
    }

    @Test func `an amount in an unknown currency is refused here`() async throws {
        let gateway = ScriptedGateway()
        var request = try request(receipt(), 300, of: 1000)
        request.currency = "ZZZ"
        #expect(try await client(gateway).cancel(request).refusal?.reason == .invalidAmount)
        #expect(gateway.requests.isEmpty)
    }

    @Test func `whoever believes in another balance is refused, and nothing happens`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            let outcome = try await client.cancel(request(receipt, 300, of: 900))
            #expect(outcome.refusal?.reason == .balanceChanged)
            #expect(try await client.payment(for: receipt).cancelledAmount == 0)
        }
    }

    @Test func `what is cancelled already, was never paid or isn't there gets different answers`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = gateway.client()
            let cancelled = try await gateway.pay(#""amount": 1000, "status": "cancelled""#)
            #expect(try await client.cancel(request(cancelled, 1000, of: 1000)).refusal?.reason == .alreadyCancelled)
            let ready = try await gateway.pay(#""amount": 1000, "status": "ready""#, merchantUID: "order-2")
            #expect(try await client.cancel(request(ready, 1000, of: 1000)).refusal?.reason == .paymentNotPaid)
            let stranger = try await client.cancel(request(receipt(), 1000, of: 1000))
            #expect(stranger.refusal?.reason == .paymentNotFound)
        }
    }

    @Test func `the payment company's refusal is one, with its words`() async throws {
        let gateway = ScriptedGateway(.answer(200, refusal), .answer(200, envelope(paid(""))))
        let outcome = try await client(gateway).cancel(request(receipt(), 1000, of: 1000))
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
            let request = try request(receipt, 300, of: 1000)
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
            let outcome = try await gateway.client(maxAttempts: 3).cancel(request(receipt, 300, of: 1000))
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
            let request = try request(receipt, 300, of: 1000)
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
            try await client(gateway).cancel(request(receipt(), 1000, of: 1000))
        }
        #expect(error?.code == .connectionLost && error?.mayHaveBeenCarriedOut == true)
        let away = await #expect(throws: GatewayError.self) {
            try await client(ScriptedGateway(.fail(.unreachable))).cancel(request(receipt(), 1000, of: 1000))
        }
        #expect(away?.mayHaveBeenCarriedOut == false)
    }

    @Test func `without a token nothing was cancelled, and it is tried again`() async throws {
        let failing = ScriptedGateway.Step.fail(.timeout)
        let lost = ScriptedGateway([.answer(200, refusal)], tokens: [failing, failing, failing])
        let error = await #expect(throws: GatewayError.self) {
            try await client(lost).cancel(request(receipt(), 1000, of: 1000))
        }
        #expect(error?.code == .timeout && error?.mayHaveBeenCarriedOut == false && lost.requests.isEmpty)
        let back = ScriptedGateway(
            [.answer(200, envelope(paid(""))), .answer(200, refusal), .answer(200, envelope(paid("")))],
            tokens: [failing])
        let outcome = try await client(back).cancel(request(receipt(), 1000, of: 1000))
        #expect(outcome.refusal?.reason == .refusedByGateway)
        #expect(back.requests.map(\.method) == [.get, .post, .get])
    }

    @Test func `a look-up without an answer doesn't make a cancellation uncertain that was turned away`() async throws {
        let gateway = ScriptedGateway(.answer(429, "{}"), .fail(.timeout))
        let error = await #expect(throws: GatewayError.self) {
            try await client(gateway).cancel(request(receipt(), 1000, of: 1000))
        }
        #expect(error?.code == .timeout && error?.mayHaveBeenCarriedOut == false)
        #expect(gateway.requests.filter { $0.method == .post }.count == 1)
    }

    @Test func `nothing is sent in the second half of the time limit`() async throws {
        let timing = InstantTiming()
        let busy = ScriptedGateway.Step.answer(429, "", headers: "Retry-After: 31\r\n")
        let gateway = ScriptedGateway(busy, .answer(200, envelope(paid(""))))
        let error = await #expect(throws: GatewayError.self) {
            try await client(gateway, timing).cancel(request(receipt(), 1000, of: 1000))
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
                try await client.cancel(request(receipt, 300, of: 1000))
            }
            #expect(error?.code == .connectionLost)
            #expect(try await gateway.journal("/payments/cancel").count == 1)
        }
    }

    @Test func `nothing is known of a cancellation that never reached the gateway`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            #expect(try await gateway.client().outcome(of: request(receipt, 300, of: 1000)) == nil)
        }
    }

    @Test func `an answer that doesn't show the cancellation means that it comes later`() async throws {
        let gateway = ScriptedGateway(.answer(200, envelope(paid(""))))
        #expect(try await client(gateway).cancel(request(receipt(), 1000, of: 1000)) == .pending(nil))
    }

    @Test func `ten of the same request at once cancel once`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.pay()
            let client = gateway.client()
            let request = try request(receipt, 300, of: 1000)
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

@Suite(.timeLimit(.minutes(20))) struct CancelEvidenceTests {
    @Test func `a request's own mark identifies its cancellation among equals`() throws {
        let request = try request(receipt(), 300, of: 1000)
        let others = [cancellation("a", 300, "[another-cancellation] because"), cancellation("b", 300, "by hand")]
        let mine = cancellation("c", 300, request.markedReason)
        #expect(request.outcome(in: payment(others + [mine]))?.cancellation == mine)
        #expect(request.outcome(in: payment([mine] + others))?.cancellation == mine)
        #expect(request.outcome(in: payment(others)) == nil)
    }

    @Test func `a reason that the gateway didn't keep is made good by amount and balance`() throws {
        let request = try request(receipt(), 300, of: 1000)
        #expect(request.outcome(in: payment([cancellation("a", 300, nil)]))?.cancellation?.id == "a")
        #expect(request.outcome(in: payment([cancellation("a", 200, nil)])) == nil)
        #expect(request.outcome(in: payment([cancellation("a", 300, "[another-cancellation] why")])) == nil)
        #expect(request.outcome(in: payment([])) == nil)
    }

    @Test func `a cancellation from before the request is not taken for the request's own`() throws {
        // Of 1,000 somebody cancelled 300; then this request was made, of the 700 that were left.
        let request = try request(receipt(), 300, of: 700)
        let before = [cancellation("a", 300, nil)]
        #expect(request.outcome(in: payment(before)) == nil)
        #expect(request.outcome(in: payment(before), isAnswer: true) == nil)
        let own = cancellation("b", 300, nil)
        #expect(request.outcome(in: payment(before + [own]))?.cancellation == own)
    }

    @Test func `a reason of somebody else's is somebody else's, unless the gateway answered with it`() throws {
        let request = try request(receipt(), 300, of: 1000)
        let payment = payment([cancellation("a", 300, "by hand")])
        #expect(request.outcome(in: payment) == nil)
        #expect(request.outcome(in: payment, isAnswer: true)?.cancellation?.id == "a")
    }

    @Test func `a reason is cut to what the gateway keeps, its mark never`() throws {
        var request = try request(receipt(), 300, of: 1000)
        request.reason = String(repeating: "가", count: 1000)
        #expect(request.markedReason.unicodeScalars.count == 256)
        #expect(request.markedReason.hasPrefix("[a-cancellation-key] 가"))
    }

    private func payment(_ cancellations: [GatewayCancellation]) -> GatewayPayment {
        GatewayPayment(
            gateway: PortOneV1.name, paymentID: "imp_1", merchantUID: "o", status: .partiallyCancelled, amount: 1000,
            cancelledAmount: cancellations.reduce(0) { $0 + $1.amount }, cancellations: cancellations, currency: "KRW")
    }

    private func cancellation(_ id: String, _ amount: Int64, _ reason: String?) -> GatewayCancellation {
        GatewayCancellation(id: id, amount: amount, reason: reason)
    }
}

extension CancellationOutcome {
    fileprivate var cancellation: GatewayCancellation? {
        if case .done(let cancellation) = self { cancellation } else { nil }
    }

    fileprivate var refusal: CancellationRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

private let refusal = #"{"code":-1,"message":"취소 가능 기간 초과","response":null}"#

private func envelope(_ response: String) -> String { #"{"code":0,"message":null,"response":\#(response)}"# }

private func paid(_ members: String) -> String {
    #"{"imp_uid":"imp_1","merchant_uid":"o","status":"paid","sandbox":false,"amount":1000,"currency":"KRW"\#(members)}"#
}

private func receipt() throws -> Receipt {
    .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o"))
}

private func request(
    _ receipt: Receipt, _ amount: Int64, of balance: Int64, key: String = "a-cancellation-key"
) throws -> CancellationRequest {
    CancellationRequest(
        receipt: receipt, amount: amount, currency: "KRW", believedBalance: balance, key: try CancellationKey(key),
        reason: "because")
}

private func client(_ gateway: ScriptedGateway, _ timing: InstantTiming? = nil) throws -> PortOneV1 {
    PortOneV1(
        configuration: PortOneV1Configuration(
            url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret"),
        transport: gateway, logger: .quiet, timing: (timing ?? InstantTiming()).timing)
}
