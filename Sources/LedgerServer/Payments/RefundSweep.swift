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
/// … 1,024 days old and at the end, because no list has what the buyer keeps. Every process sweeps; each refund has one review.
struct RefundSweep: Service {
    let gateways: [any TellsRefunds]
    let interval: Duration
    let logger: Logger
    /// A page of what a gateway sold in a period, after the purchase with an id, by time and id; an empty one is the end.
    let sales: @Sendable (String, Range<Date>, Int64) async throws -> [StoreSaleOfPeriod]
    /// Has a payment reviewed once after a refund with this name, which is of this type.
    let review: @Sendable (PaymentIdentity, String, String) async throws -> Void

    /// In days.
    ///
    /// Google tells of orders for 1,095 days; the last look is at none that is older, also where it reaches back.
    private static let ages = (0...10).map { 1 << $0 } + [1092]
    /// A list can be late.
    private static let overlap: TimeInterval = 600
    /// How far a look at orders of an age reaches back at the start and after failures: what came to an age before is looked at
    /// when it comes to the next.
    private static let orderReach: TimeInterval = 2 * 86_400
    /// Gateways allow so many questions a day.
    private static let shortestPause = Duration.seconds(300)

    func run() async throws {
        let repetition = Repetition(
            pause: max(interval, Self.shortestPause), failure: "sweep of refunds failed", logger: logger)
        // By gateway, and age: until when each look was last a success.
        var last: [String: Date] = [:]
        await repetition.run {
            for gateway in gateways {
                let now = Time.current.now
                await GatewayCaller.$current.withValue(.service("sweep")) {
                    let name = type(of: gateway).name
                    await look(name, until: now, &last, reach: type(of: gateway).takenBackReach / .seconds(1)) {
                        try await review(takenBackBy: gateway, in: $0)
                    }
                    for days in Self.ages {
                        let age = TimeInterval(days * 86_400)
                        await look("\(name), \(days) days", until: now, &last, reach: Self.orderReach) {
                            try await review(ordersOf: gateway, in: $0.lowerBound - age..<$0.upperBound - age)
                        }
                    }
                }
            }
            return .afterPause
        }
    }

    /// Looks at what came since the last time that it succeeded, but not further back than it reaches.
    private func look(
        _ what: String, until now: Date, _ last: inout [String: Date], reach: TimeInterval,
        _ body: (Range<Date>) async throws -> Void
    ) async {
        let since = max(last[what] ?? .distantPast, now - reach) - Self.overlap
        do {
            try await body(min(since, now)..<now)
            last[what] = now
        } catch {
            logger.warning(
                "sweep of refunds interrupted", metadata: ["gateway": "\(what)", "error": "\(error)"])
        }
    }

    private func review(takenBackBy gateway: any TellsRefunds, in period: Range<Date>) async throws {
        for taken in try await gateway.takenBack(in: period) {
            try await review(PaymentIdentity(taken.receipt), "taken-back:\(taken.id)", "ledgerd.taken_back")
        }
    }

    /// Has the purchases of a period reviewed of which more was given back than the books have.
    private func review(ordersOf gateway: any TellsRefunds, in period: Range<Date>) async throws {
        var (since, last) = (period.lowerBound, Int64(0))
        while true {
            let sold = try await sales(gateway.name, since..<period.upperBound, last)
            guard let end = sold.last else { return }
            let orders = try await gateway.payments(ofOrders: sold.compactMap(\.payment.merchantPaymentID))
            for sale in sold {
                guard let order = sale.payment.merchantPaymentID, let amount = orders[order]?.cancelledAmount else {
                    continue
                }
                guard amount > sale.refunded else { continue }
                try await review(sale.payment, "refunded:\(order):\(amount)", "ledgerd.refunded")
            }
            (since, last) = (end.paidAt, end.id)
        }
    }
}
