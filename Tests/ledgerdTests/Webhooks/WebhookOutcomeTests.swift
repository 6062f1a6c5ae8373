import Foundation
import Testing

@testable import Ledger
@testable import LedgerServer

/// What becomes of an event after a review of its payment.
@Suite(.timeLimit(.minutes(20))) struct WebhookOutcomeTests {
    @Test(arguments: [1, 2, 5] as [Int64])
    func `a cancelled payment is looked at again, however often attempts failed before`(_ attempts: Int64) {
        let reason = "cancelled_look_again"
        #expect(Self.delay(attempts, "received") == .seconds(60))
        #expect(Self.delay(attempts, "gateway_unavailable") == .seconds(60))
        #expect(Self.delay(attempts, reason) == nil)
    }

    /// The delay of an event after it found nothing credited; nil: it is decided.
    private static func delay(_ attempts: Int64, _ reason: String) -> Duration? {
        let event = WebhookRecord(
            id: 1, gateway: "portone-v1", type: "cancelled", paymentID: "imp_1", merchantUID: "order-1",
            merchantPaymentID: nil,
            attempts: attempts, receivedAt: Date(), repeats: 0, reason: reason)
        guard case .postponed(let delay, _) = event.outcome(of: .nothingCredited, at: Date()) else { return nil }
        return delay
    }
}
