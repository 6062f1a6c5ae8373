import Foundation
import Ledger
import Logging
import PGVerifier
import ServiceLifecycle
import Timing

/// Has payments reviewed that gateways gave back which list no payments: a message can be lost, and none comes of money that
/// is given back while the buyer keeps the purchase.
///
/// At the start it takes all that a gateway's list still has, then what is new in it. An order is looked at when it is 1, 2, 4,
/// … 128 days old, because no list has what the buyer keeps. Every process sweeps; each refund has one review.
struct RefundSweep: Service {
    let gateways: [any TellsRefunds]
    let ledger: Ledger
    let interval: Duration
    let logger: Logger

    /// In days.
    private static let ages = (0...7).map { 1 << $0 }
    /// A list can be late.
    private static let overlap: TimeInterval = 600

    func run() async throws {
        let repetition = Repetition(pause: interval, failure: "sweep of refunds failed", logger: logger)
        // By gateway: until when the last sweep looked.
        var last: [String: Date] = [:]
        await repetition.run {
            for gateway in gateways {
                let (since, now) = (last[gateway.name], Time.current.now)
                let hasSeenAll = await GatewayCaller.$current.withValue(.service("sweep")) {
                    await sweep(gateway, since: since, until: now)
                }
                if hasSeenAll { last[gateway.name] = now }
            }
            return .afterPause
        }
    }

    /// - Returns: whether it saw all.
    private func sweep(_ gateway: any TellsRefunds, since last: Date?, until now: Date) async -> Bool {
        do {
            let reach = type(of: gateway).takenBackReach / .seconds(1)
            for taken in try await gateway.takenBack(in: (last ?? now - reach) - Self.overlap..<now) {
                try await ledger.requestReview(
                    of: PaymentIdentity(taken.receipt), after: "taken-back:\(taken.id)", type: "ledgerd.taken_back")
            }
            let since = (last ?? now - interval / .seconds(1)) - Self.overlap
            for age in Self.ages.map({ TimeInterval($0 * 86_400) }) {
                try await review(ordersOf: gateway, in: since - age..<now - age)
            }
            return true
        } catch {
            logger.warning(
                "sweep of refunds interrupted", metadata: ["gateway": "\(gateway.name)", "error": "\(error)"])
            return false
        }
    }

    /// Has the purchases of a period reviewed of which more was given back than the books have.
    private func review(ordersOf gateway: any TellsRefunds, in period: Range<Date>) async throws {
        let sold = try await ledger.stores.sold(by: gateway.name, in: period)
        guard !sold.isEmpty else { return }
        let refunded = try await gateway.refunded(ofOrders: sold.compactMap(\.payment.merchantPaymentID))
        for sale in sold {
            guard let order = sale.payment.merchantPaymentID, let amount = refunded[order] else { continue }
            guard amount > sale.refunded else { continue }
            try await ledger.requestReview(
                of: sale.payment, after: "refunded:\(order):\(amount)", type: "ledgerd.refunded")
        }
    }
}
