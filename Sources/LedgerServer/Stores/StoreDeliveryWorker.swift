import Ledger
import PGVerifier

/// Tells stores that purchases are delivered, after their coins are in the books.
struct StoreDeliveryWorker: WorkItemWorker {
    let gateways: Gateways
    let name = "deliveries of stores"
    let metric = "ledgerd_store_deliveries"

    /// The refusals in a row after which one is the store's last word: an outage says nothing about the purchase.
    private static let mostRefusals = 20

    func work(on delivery: StoreDelivery) async throws -> WorkOutcome<StoreDelivery.Decision> {
        let again = Backoff.gatewayUnavailable.delay(afterAttempts: Int(delivery.attempts))
        guard let receipt = delivery.payment.receipt,
            let gateway = gateways.gateway(for: receipt) as? any FinishesPurchases
        else { return .postponed(again, "gateway_off") }
        guard gateway.finishes else { return .decided(.left, "left_to_app") }
        do throws(GatewayError) {
            try await gateway.finish(receipt)
            return .decided(.finished, "finished")
        } catch {
            // Only the store's own word ends it: an unfinished purchase comes again on the device, and does no harm.
            let reason = error.code.rawValue
            let before = delivery.reason == reason ? delivery.inARow : 0
            let isOver = error.isDefinite || error.code == .refused && before + 1 >= Self.mostRefusals
            return isOver ? .decided(.abandoned, reason) : .postponed(again, reason)
        }
    }
}
