import Foundation
import Ledger
import PGVerifier
import Timing

/// Processes a webhook event: looks the event's payment up at the gateway, and updates the books.
///
/// It uses only the ids in the event. So the order and number of events do not matter, and forged ones have no effect.
struct WebhookWorker: WorkItemWorker {
    let reviewer: PaymentReviewer
    var questions = RefundQuestionRules()
    let name = "webhook events"
    let metric = "ledgerd_webhook_events"

    func work(on event: WebhookRecord) async throws -> WorkOutcome<WebhookRecord.Decision> {
        let intake = RefundQuestionIntake(ledger: reviewer.crediter.ledger, rules: questions)
        let isTaken = try await intake.take(event, receipt: event.receipt)
        guard let receipt = event.receipt else {
            guard event.asks else { return event.outcomeWithoutPayment(at: Time.current.now) }
            return isTaken ? .decided(.done, "question") : event.outcomeOfUncredited(at: Time.current.now)
        }
        // A reason of its own, which forgetting tells (schema/judges/forgetting.sql): waiting alone does not end it.
        guard reviewer.crediter.gateways.gateway(for: receipt) != nil else {
            return event.waiting(because: "gateway_off", at: Time.current.now)
        }
        let review = try await reviewer.review(receipt)
        if event.type == ReceiptCrediter.freeGiven, case .decided = event.outcome(of: review, at: Time.current.now) {
            return await tellStore(of: receipt, event)
        }
        // It may be credited only now.
        if !isTaken, try await !intake.take(event, receipt: receipt) {
            return try await FreePurchaseAnswer(self, event, receipt).send()
                ?? event.outcomeOfUncredited(at: Time.current.now)
        }
        return event.outcome(of: review, at: Time.current.now)
    }

    /// Tells a store that what it sold for nothing is delivered.
    private func tellStore(
        of receipt: Receipt, _ event: WebhookRecord
    ) async -> WorkOutcome<WebhookRecord.Decision> {
        guard let gateway = reviewer.crediter.gateways.gateway(for: receipt) as? any FinishesPurchases, gateway.finishes
        else { return .decided(.done, "left_to_app") }
        do throws(GatewayError) {
            try await gateway.finish(receipt)
            return .decided(.done, "finished")
        } catch {
            return error.isDefinite
                ? .decided(.done, error.code.rawValue)
                : event.waiting(because: error.code.rawValue, at: Time.current.now)
        }
    }
}

extension WebhookRecord {
    /// The maximum time that an event waits for the gateway, longer than the gateway's own retries.
    ///
    /// Without a list of payments, nobody asks for the payment again: half a year is longer than any outage.
    private var patience: TimeInterval { (Gateways.thatList.contains(gateway) ? 3 : 180) * 24 * 3600 }
    /// The maximum time of a credit that started before the payment's cancellation: a request to the gateway and a
    /// commit.
    private static let crediting: Duration = .seconds(60)
    /// The reason of an event whose payment is looked up once more.
    private static let lookAgain = "cancelled_look_again"
    /// The reason of an event whose payment the gateway did not show.
    private static let unknown = "unknown_payment"
    /// The delay before the next look-up of a payment that the gateway does not show yet.
    private static let appearing: Duration = .seconds(20)

    /// What becomes of an event that names no payment.
    ///
    /// This version does not read the events of a gateway that it does not know: during an upgrade, a newer process stores and
    /// processes them.
    func outcomeWithoutPayment(at now: Date) -> WorkOutcome<Decision> {
        Gateways.known(as: gateway) != nil
            ? .decided(.ignored, "names no payment") : waiting(because: "gateway_unknown", at: now)
    }

    func waiting(because reason: String, at now: Date) -> WorkOutcome<Decision> {
        receivedAt < now - patience
            ? .decided(.abandoned, reason)
            : .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: Int(attempts)), reason)
    }

    /// What becomes of the event after a review of its payment.
    func outcome(of review: ReviewSaga.Review, at now: Date) -> WorkOutcome<Decision> {
        switch review {
        case .agrees: return .decided(.done, "agrees")
        case .clawedBack: return .decided(.done, "clawed_back")
        case .givenBack: return .decided(.done, "given_back")
        case .onHold: return waiting(because: "coins_on_hold", at: now)
        case .outdated: return .postponed(Self.appearing, "outdated")
        case .disputed: return .decided(.done, "disputed")
        case .refundCompleted: return .decided(.done, "refund_completed")
        case .credited: return .decided(.done, "credited")
        case .refused: return .decided(.done, "refused")
        case .refundPending:
            // The event is processed again after the refund is decided.
            return .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: Int(attempts)), "refund_pending")
        case .expedited: return .decided(.done, "receipt_asked_again")
        case .priceNotBookable: return .decided(.done, WaitReason.priceNotBookable.rawValue)
        case .worthOutOfRange: return .decided(.done, WaitReason.worthOutOfRange.rawValue)
        case .unknownStoreProduct: return .decided(.done, WaitReason.unknownStoreProduct.rawValue)
        case .unclaimed: return .decided(.done, "paid_unclaimed")
        case .nothingPaid: return .decided(.done, "nothing_paid")
        case .nothingCredited where reason != Self.lookAgain:
            // A receipt that was verified just before the cancellation can still be in progress, so look again later.
            // Attempts do not tell whether that was done, because a failed one counts too.
            return .postponed(Self.crediting, Self.lookAgain)
        case .nothingCredited: return .decided(.done, "nothing_credited")
        // The attempts of an outage say nothing about the payment.
        case .unknownPayment where attempts < 3 || reason != Self.unknown:
            return .postponed(Self.appearing, Self.unknown)
        case .unknownPayment: return .decided(.ignored, Self.unknown)
        case .gatewayUnavailable: return waiting(because: "gateway_unavailable", at: now)
        }
    }

    /// The receipt that looks the payment up; nil if the event has no payment or an invalid id.
    fileprivate var receipt: Receipt? {
        // V2 also sends events that are not about payments.
        guard let order = merchantPaymentID ?? merchantUID else { return nil }
        return try? Receipt(gateway: gateway, paymentID: paymentID ?? "", merchantUID: order)
    }
}
