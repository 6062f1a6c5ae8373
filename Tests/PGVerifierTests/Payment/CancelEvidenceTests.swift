import Testing

@testable import PGVerifier

/// Whether a cancellation that a payment shows is the request's own.
@Suite(.timeLimit(.minutes(20))) struct CancelEvidenceTests {
    @Test func `a request's own mark identifies its cancellation among equals`() throws {
        let request = try CancellationRequest.sampleV1(300)
        let others = [cancellation("a", 300, "[another-cancellation] because"), cancellation("b", 300, "by hand")]
        let mine = cancellation("c", 300, request.markedReason)
        #expect(request.outcome(in: payment(others + [mine]))?.cancellation == mine)
        #expect(request.outcome(in: payment([mine] + others))?.cancellation == mine)
        #expect(request.outcome(in: payment(others)) == nil)
    }

    @Test func `a reason that the gateway didn't keep is made good by amount and balance`() throws {
        let request = try CancellationRequest.sampleV1(300)
        #expect(request.outcome(in: payment([cancellation("a", 300, nil)]))?.cancellation?.id == "a")
        #expect(request.outcome(in: payment([cancellation("a", 200, nil)])) == nil)
        #expect(request.outcome(in: payment([cancellation("a", 300, "[another-cancellation] why")])) == nil)
        #expect(request.outcome(in: payment([])) == nil)
    }

    @Test func `a cancellation from before the request is not taken for the request's own`() throws {
        // Of 1,000 somebody cancelled 300; then this request was made, of the 700 that were left.
        let request = try CancellationRequest.sampleV1(300, left: 700)
        let before = [cancellation("a", 300, nil)]
        #expect(request.outcome(in: payment(before)) == nil)
        #expect(request.outcome(in: payment(before), isAnswer: true) == nil)
        let own = cancellation("b", 300, nil)
        #expect(request.outcome(in: payment(before + [own]))?.cancellation == own)
    }

    @Test func `a reason of somebody else's is somebody else's, unless the gateway answered with it`() throws {
        let request = try CancellationRequest.sampleV1(300)
        let payment = payment([cancellation("a", 300, "by hand")])
        #expect(request.outcome(in: payment) == nil)
        #expect(request.outcome(in: payment, isAnswer: true)?.cancellation?.id == "a")
    }

    @Test func `a reason is cut to what the gateway keeps, its mark never`() throws {
        var request = try CancellationRequest.sampleV1(300)
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
