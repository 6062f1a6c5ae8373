import Foundation
import Ledger
import PGVerifier

/// Works off an event: asks the gateway about the payment that it names, and brings the books in line.
///
/// The event's own words decide nothing. So it does not matter in which order events come, how often, or whether one is
/// forged: all end in what the gateway says.
struct WebhookWorker: WorkItemWorker {
    let reviewer: PaymentReviewer
    let name = "webhook events"
    let metric = "ledgerd_webhook_events"

    /// How long the gateway may stay away: longer than it repeats events itself.
    private static let patience: TimeInterval = 3 * 24 * 3600
    /// How long a receipt that was presented before a cancellation may take to be credited: longer than a question to
    /// the gateway and a commit.
    private static let crediting: Duration = .seconds(60)
    /// How long a payment may take to be found at the gateway after its event.
    private static let appearing: Duration = .seconds(20)

    func work(on event: WebhookRecord) async throws -> WorkOutcome<WebhookRecord.Decision> {
        guard let receipt = event.receipt else { return .decided(.ignored, "names no payment") }
        switch try await reviewer.review(receipt) {
        case .agrees: return .decided(.done, "agrees")
        case .clawedBack: return .decided(.done, "clawed_back")
        case .refundCompleted: return .decided(.done, "refund_completed")
        case .credited: return .decided(.done, "credited")
        case .refused: return .decided(.done, "refused")
        case .refundPending:
            // Whatever comes of the refund, the rest is followed after it.
            let delay = Backoff.gatewayUnavailable.delay(afterAttempts: Int(event.attempts))
            return .postponed(delay, "refund_pending")
        case .expedited: return .decided(.done, "receipt_asked_again")
        case .unclaimed: return .decided(.done, "paid_unclaimed")
        case .nothingPaid: return .decided(.done, "nothing_paid")
        case .nothingCredited where event.attempts < 2:
            // A receipt verified just before the cancellation may still be on its way into the books: look once more.
            return .postponed(Self.crediting, "cancelled_look_again")
        case .nothingCredited: return .decided(.done, "nothing_credited")
        case .unknownPayment where event.attempts < 3: return .postponed(Self.appearing, "unknown_payment")
        case .unknownPayment: return .decided(.ignored, "unknown_payment")
        case .gatewayUnavailable where event.receivedAt.timeIntervalSinceNow < -Self.patience:
            return .decided(.abandoned, "gateway_unavailable")
        case .gatewayUnavailable:
            let delay = Backoff.gatewayUnavailable.delay(afterAttempts: Int(event.attempts))
            return .postponed(delay, "gateway_unavailable")
        }
    }
}

extension WebhookRecord {
    /// What to ask the gateway about; nil when the event names no payment, or none that there can be.
    fileprivate var receipt: Receipt? {
        // V2 sends events about other things too: of those there is nothing to ask.
        guard let order = paymentID ?? merchantUID else { return nil }
        return try? Receipt(gateway: gateway, impUID: impUID ?? "", merchantUID: order)
    }
}
