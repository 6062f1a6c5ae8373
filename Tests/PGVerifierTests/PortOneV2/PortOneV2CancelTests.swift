import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct PortOneV2CancelTests {
    @Test func `a cancellation is sent with key, balance, store and account`() async throws {
        let gateway = ScriptedGateway(.answer(200, answer("SUCCEEDED")))
        var request = try request
        request.refundAccount = CancellationRequest.Account(bank: "SHINHAN", number: "123", holder: "홍길동")
        let outcome = try await V2.client(gateway).cancel(request)
        guard case .done(let cancellation) = outcome else { throw Unexpected() }
        #expect(cancellation.id == "c1" && cancellation.amount == 300)
        #expect(gateway.requests[0].line == "POST /payments/order-1/cancel")
        #expect(gateway.requests[0].header("Idempotency-Key") == #""a-cancellation-key""#)
        #expect(gateway.requests[0].totalTimeout == .seconds(60))
        #expect(gateway.requests[0].needsFreshConnection)
        #expect(
            gateway.requests[0].text
                == #"{"amount":300,"currentCancellableAmount":1000,"reason":"[a-cancellation-key] because","#
                + #""refundAccount":{"bank":"SHINHAN","holderName":"홍길동","number":"123"},"storeId":"store-1"}"#)
    }

    @Test func `an amount in an unknown currency is refused here`() async throws {
        let gateway = ScriptedGateway()
        var request = try request
        request.currency = "ZZZ"
        guard case .refused(let refusal) = try await V2.client(gateway).cancel(request) else { throw Unexpected() }
        #expect(refusal.reason == .invalidAmount && gateway.requests.isEmpty)
    }

    @Test(arguments: [0, 90, 300]) func `the tax-free part is sent, also one of 0`(part: Int64) async throws {
        let gateway = ScriptedGateway(.answer(200, answer("SUCCEEDED")))
        var request = try request
        request.taxFree = part
        _ = try await V2.client(gateway).cancel(request)
        #expect(
            gateway.requests[0].text
                == #"{"amount":300,"currentCancellableAmount":1000,"reason":"[a-cancellation-key] because","#
                + #""storeId":"store-1","taxFreeAmount":\#(part)}"#)
    }

    @Test(arguments: [-1, 301]) func `a tax-free part that is not within the amount is not asked for`(
        part: Int64
    ) async throws {
        let gateway = ScriptedGateway(.answer(200, answer("SUCCEEDED")))
        var request = try request
        request.taxFree = part
        guard case .refused(let refusal) = try await V2.client(gateway).cancel(request) else { throw Unexpected() }
        #expect(refusal.reason == .invalidAmount && gateway.requests.isEmpty)
    }

    @Test func `200 is not refunded: the cancellation's own status decides`() async throws {
        let pending = try await cancel(.answer(200, answer("REQUESTED")))
        guard case .pending(let cancellation) = pending else { throw Unexpected() }
        #expect(cancellation?.id == "c1")
        #expect(try await refusal(.answer(200, answer("FAILED"))) == .refusedByGateway)
        guard case .pending = try await cancel(.answer(200, answer("NEW"))) else { throw Unexpected() }
    }

    @Test(arguments: [
        ("PAYMENT_NOT_PAID", 409, "READY", 0, CancellationRefusal.Reason.paymentNotPaid),
        ("PAYMENT_ALREADY_CANCELLED", 409, "CANCELLED", 1000, .alreadyCancelled),
        ("CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN", 409, "PARTIAL_CANCELLED", 500, .balanceChanged),
        ("CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT", 409, "PARTIAL_CANCELLED", 500, .balanceChanged),
        ("MAX_CANCEL_COUNT_REACHED", 409, "PAID", 0, .refusedByGateway),
        ("SUM_OF_PARTS_EXCEEDS_CANCEL_AMOUNT", 409, "PAID", 0, .taxPartsRefused),
        ("CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT", 409, "PAID", 0, .taxPartsRefused),
        ("CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT", 409, "PAID", 0, .taxPartsRefused),
        ("CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT", 409, "PARTIAL_CANCELLED", 500, .balanceChanged),
        ("PG_PROVIDER", 502, "PAID", 0, .refusedByGateway), ("INVALID_REQUEST", 400, "PAID", 0, .refusedByGateway),
    ])
    func `a refusal is judged by the payment as it stands`(
        type: String, status: Int, state: String, cancelled: Int, reason: CancellationRefusal.Reason
    ) async throws {
        let payment = V2.paid.replacing(#""status":"PAID""#, with: #""status":"\#(state)""#)
            .replacing(#""cancelled":0"#, with: #""cancelled":\#(cancelled)"#)
        let outcome = try await cancel(.answer(status, #"{"type":"\#(type)"}"#), .answer(200, payment))
        guard case .refused(let refusal) = outcome else { throw Unexpected() }
        #expect(refusal.reason == reason)
        #expect(refusal.gatewayCode == type)
    }

    @Test func `an unknown payment is definitely refused`() async throws {
        #expect(try await refusal(.answer(404, #"{"type":"PAYMENT_NOT_FOUND"}"#)) == .paymentNotFound)
    }

    @Test func `a refusal that echoes our own lost success is that success`() async throws {
        let payment = V2.paid.replacing(
            #""status":"PAID","#, with: #""status":"PARTIAL_CANCELLED","cancellations":[\#(element("SUCCEEDED"))],"#
        )
        .replacing(#""cancelled":0"#, with: #""cancelled":300"#)
        let refusal = ScriptedGateway.Step.answer(409, #"{"type":"CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN"}"#)
        guard case .done(let cancellation) = try await cancel(refusal, .answer(200, payment)) else {
            throw Unexpected()
        }
        #expect(cancellation.id == "c1")
    }

    @Test func `while it still runs, and after a loss, the same key asks again`() async throws {
        let gateway = ScriptedGateway(
            .fail(.connectionLost), .answer(409, #"{"type":"IDEMPOTENCY_OUTSTANDING_REQUEST"}"#),
            .answer(200, answer("SUCCEEDED")))
        guard case .done = try await V2.client(gateway).cancel(request) else { throw Unexpected() }
        #expect(Set(gateway.requests.map { $0.header("Idempotency-Key") }).count == 1)
        #expect(Set(gateway.requests.map(\.text)).count == 1)
        #expect(gateway.requests.count == 3)
    }

    @Test(arguments: [
        (ScriptedGateway.Step.fail(.timeout), GatewayError.Code.timeout), (.fail(.connectionLost), .connectionLost),
        (.answer(500, ""), .serverError), (.answer(200, "{}"), .unreadablePayment), (.answer(401, ""), .unauthorized),
        (.answer(409, #"{"type":"IDEMPOTENCY_OUTSTANDING_REQUEST"}"#), .stillRunning),
    ])
    func `whatever else goes wrong leaves it unknown`(step: ScriptedGateway.Step, code: GatewayError.Code) async {
        let error = await #expect(throws: GatewayError.self) { try await cancel(step) }
        #expect(error?.code == code && error?.isDefinite == false)
    }

    @Test func `what became of a request is read from the payment, by its key`() async throws {
        let known = V2.paid.replacing(#""disputes""#, with: #""cancellations":[\#(element("REQUESTED"))],"disputes""#)
        let pending = try await V2.client(ScriptedGateway(.answer(200, known))).outcome(of: request)
        guard case .pending = pending else { throw Unexpected() }
        #expect(try await V2.client(ScriptedGateway(.answer(200, V2.paid))).outcome(of: request) == nil)
    }
}

private struct Unexpected: Error {}

private var request: CancellationRequest {
    get throws {
        CancellationRequest(
            receipt: try V2.receipt, amount: 300, currency: "KRW", believedBalance: 1000,
            key: try CancellationKey("a-cancellation-key"), reason: "because")
    }
}

private func element(_ status: String) -> String {
    #"{"status":"\#(status)","id":"c1","totalAmount":300,"taxFreeAmount":0,"vatAmount":27,"#
        + #""reason":"[a-cancellation-key] because","requestedAt":"2026-01-02T00:00:00Z"}"#
}

private func answer(_ status: String) -> String { #"{"cancellation":\#(element(status))}"# }

private func cancel(_ steps: ScriptedGateway.Step...) async throws -> CancellationOutcome {
    try await V2.client(ScriptedGateway(steps)).cancel(request)
}

private func refusal(_ step: ScriptedGateway.Step) async throws -> CancellationRefusal.Reason? {
    guard case .refused(let refusal) = try await cancel(step) else { return nil }
    return refusal.reason
}
