import Testing

@testable import PGVerifier

/// A cancellation that the gateway has accepted and carries out later is not asked for again.
@Suite(.timeLimit(.minutes(20))) struct PendingCancellationTests {
    private func payment(_ cancellations: GatewayCancellation...) -> GatewayPayment {
        GatewayPayment(
            gateway: "portone-v2", paymentID: "tx-1", merchantUID: "payment-1", status: .partiallyCancelled,
            amount: 5000, cancelledAmount: 1000, cancellations: cancellations, currency: "KRW")
    }

    @Test(arguments: [GatewayCancellation.Status.requested, .unknown("HELD")])
    func `a pending cancellation of the rest is found, and one of a part is not of the rest`(
        status: GatewayCancellation.Status
    ) {
        let part = payment(GatewayCancellation(id: "1", status: status, amount: 3999))
        #expect(part.isBeingCancelled && !part.isRestBeingCancelled)
        #expect(payment(GatewayCancellation(id: "1", status: status, amount: 4000)).isRestBeingCancelled)
    }

    @Test(arguments: [GatewayCancellation.Status.succeeded, .failed])
    func `one that has ended is not pending`(status: GatewayCancellation.Status) {
        let ended = payment(GatewayCancellation(id: "1", status: status, amount: 4000))
        #expect(!ended.isBeingCancelled && !ended.isRestBeingCancelled)
    }
}
