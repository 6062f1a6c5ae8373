import Foundation
import Ledger
import PGVerifier
import Timing

/// Tells stores that purchases are delivered, after their coins are in the books.
struct StoreDeliveryWorker: WorkItemWorker {
    let gateways: Gateways
    /// Where it is a finding that a store will give money back; nil: nowhere.
    var ledger: Ledger?
    let name = "deliveries of stores"
    let metric = "ledgerd_store_deliveries"

    /// The refusals in a row after which one is the store's last word: an outage says nothing about the purchase.
    private static let mostRefusals = 20

    func work(on delivery: StoreDelivery) async throws -> WorkOutcome<StoreDelivery.Decision> {
        var outcome = await tell(of: delivery)
        // Nearly all are told at once: no finding can be about them.
        if case .decided = outcome, delivery.attempts <= 1, delivery.inARow == 0 { return outcome }
        guard let ledger, let time = delivery.payment.finishedWithin,
            let purchase = try await ledger.purchases.find(of: delivery.payment)
        else { return outcome }
        let isGivenBack = purchase.cancelledAmount > 0 && purchase.refundedAmount == purchase.amount
        // The store has given its money back, and does not know it any more.
        if isGivenBack, case .postponed(_, let reason?) = outcome, reason == GatewayError.Code.notFoundYet.rawValue {
            outcome = .decided(.abandoned, reason)
        }
        let end = purchase.paidAt.addingTimeInterval(time / .seconds(1))
        guard end.timeIntervalSince(Time.current.now) < Self.warning else { return outcome }
        if case .postponed = outcome, !isGivenBack {
            try await ledger.findings.note(
                .storePurchaseUnconsumed, purchase.payment, of: purchase.user, amount: purchase.paidAmount,
                currency: purchase.paidCurrency.code, paidAt: purchase.paidAt)
        } else {
            try await ledger.findings.end(.storePurchaseUnconsumed, under: purchase.payment)
        }
        return outcome
    }

    /// How long before the store gives the money back it is a finding that it could not be told: a day for people.
    private static let warning: TimeInterval = 86_400

    private func tell(of delivery: StoreDelivery) async -> WorkOutcome<StoreDelivery.Decision> {
        let again = Backoff.gatewayUnavailable.delay(afterAttempts: Int(delivery.attempts))
        guard let receipt = delivery.payment.receipt,
            let gateway = gateways.gateway(for: receipt) as? any FinishesPurchases
        else { return .postponed(again, "gateway_off") }
        guard gateway.finishes else { return .decided(.left, "left_to_app") }
        do throws(GatewayError) {
            try await gateway.finish(receipt)
            return .decided(.finished, "finished")
        } catch {
            // Only the store's own word ends it. An unfinished purchase comes again on the device, and does no harm unless the
            // store gives its money back.
            let reason = error.code.rawValue
            let before = delivery.reason == reason ? delivery.inARow : 0
            let isRefused = error.code == .refused && before + 1 >= Self.mostRefusals
            let isOver = error.isDefinite || isRefused && delivery.payment.finishedWithin == nil
            return isOver ? .decided(.abandoned, reason) : .postponed(again, reason)
        }
    }
}

extension PaymentIdentity {
    /// Within which time after the payment its store wants to be told, also while the store is off; nil: it does not mind.
    fileprivate var finishedWithin: Duration? {
        (Gateways.known(as: gateway) as? any FinishesPurchases.Type)?.finishedWithin
    }
}
