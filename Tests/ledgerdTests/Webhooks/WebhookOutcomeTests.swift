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

    @Test func `a payment that the gateway does not show is looked up again, also after an outage`() {
        func outcome(attempts: Int, _ reason: String) -> WorkOutcome<WebhookRecord.Decision> {
            Self.event(of: "portone-v2", attempts: Int64(attempts), reason: reason).outcome(
                of: .unknownPayment, at: Self.now)
        }
        for (attempts, reason) in [(1, "received"), (2, "unknown_payment"), (9, "gateway_unavailable")] {
            guard case .postponed(.seconds(20), "unknown_payment") = outcome(attempts: attempts, reason) else {
                Issue.record("\(attempts) \(reason)")
                continue
            }
        }
        guard case .decided(.ignored, _) = outcome(attempts: 3, "unknown_payment") else {
            Issue.record("it is not looked up for ever")
            return
        }
    }

    @Test func `the note of a paid payment that waits says why`() {
        for (review, note) in [
            (.priceNotBookable, "price_not_bookable"), (.worthOutOfRange, "worth_out_of_range"),
            (.unknownStoreProduct, "unknown_store_product"),
            (.nothingPaid, "nothing_paid"),
        ] as [(ReviewSaga.Review, String)] {
            let outcome = Self.event(of: "portone-v2", days: 0).outcome(of: review, at: Self.now)
            guard case .decided(.done, note) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    /// A gateway that lists its payments shows what an abandoned event was about; a store does not.
    @Test func `an event waits for its gateway for days, and half a year if nobody would ask about it again`() {
        func outcome(_ gateway: String, days: Double) -> Bool? {
            isAbandoned(Self.event(of: gateway, days: days).outcome(of: .gatewayUnavailable, at: Self.now))
        }
        for listing in ["portone-v1", "portone-v2"] {
            #expect(outcome(listing, days: 2.9) == false)
            #expect(outcome(listing, days: 3.1) == true)
        }
        #expect(outcome("app-store", days: 179) == false)
        #expect(outcome("app-store", days: 181) == true)
    }

    /// A newer process stored it, which runs at the same time during an upgrade.
    @Test func `an event of an unknown gateway is left to a process that knows it`() {
        let unknown = Self.event(of: "store-of-tomorrow", days: 1).outcomeWithoutPayment(at: Self.now)
        guard case .postponed(_, "gateway_unknown") = unknown else {
            Issue.record("\(unknown)")
            return
        }
        #expect(isAbandoned(Self.event(of: "store-of-tomorrow", days: 181).outcomeWithoutPayment(at: Self.now)) == true)
        let known = Self.event(of: "portone-v2", days: 0).outcomeWithoutPayment(at: Self.now)
        guard case .decided(.ignored, _) = known else {
            Issue.record("\(known)")
            return
        }
    }

    /// Nil: it is decided in another way.
    private func isAbandoned(_ outcome: WorkOutcome<WebhookRecord.Decision>) -> Bool? {
        switch outcome {
        case .postponed: false
        case .decided(.abandoned, _): true
        default: nil
        }
    }

    private static let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// An event that was received some days ago.
    private static func event(
        of gateway: String, days: Double = 0, attempts: Int64 = 1, reason: String = "received"
    ) -> WebhookRecord {
        WebhookRecord(
            id: 1, gateway: gateway, type: "cancelled", paymentID: "imp_1", merchantUID: "order-1",
            merchantPaymentID: nil, attempts: attempts, receivedAt: now - days * 86_400, repeats: 0, reason: reason)
    }

    /// The delay of an event after it found nothing credited; nil: it is decided.
    private static func delay(_ attempts: Int64, _ reason: String) -> Duration? {
        let event = event(of: "portone-v1", attempts: attempts, reason: reason)
        guard case .postponed(let delay, _) = event.outcome(of: .nothingCredited, at: now) else { return nil }
        return delay
    }
}
