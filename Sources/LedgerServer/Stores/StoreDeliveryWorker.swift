import Ledger
import PGVerifier

/// Tells stores that purchases are delivered, after their coins are in the books.
struct StoreDeliveryWorker: WorkItemWorker {
    let gateways: Gateways
    let name = "deliveries of stores"
    let metric = "ledgerd_store_deliveries"

    /// The attempts after which a refusal of the store is its last word.
    private static let mostAttempts = 20

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
            let isOver = error.isDefinite || error.code == .refused && delivery.attempts >= Self.mostAttempts
            return isOver ? .decided(.abandoned, error.code.rawValue) : .postponed(again, error.code.rawValue)
        }
    }
}
