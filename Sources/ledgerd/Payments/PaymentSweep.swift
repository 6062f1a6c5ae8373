import Foundation
import Ledger
import Logging
import Metrics
import PGVerifier
import ServiceLifecycle

/// Walks the gateways' payments of the last while, at intervals, and follows each.
///
/// A webhook comes once and can be lost; what it would have told is found here. Every process sweeps: following a payment
/// twice changes nothing.
struct PaymentSweep: Service {
    let gateways: Gateways
    let reviewer: PaymentReviewer
    let interval: Duration
    let logger: Logger

    /// How many payments are followed at the same time.
    private static let concurrency = 16

    func run() async throws {
        let repetition = Repetition(pause: interval, failure: "a sweep failed", logger: logger)
        await repetition.sleep()
        await repetition.run {
            await GatewayCaller.$current.withValue(.service("sweep")) {
                for gateway in gateways.all { await sweep(gateway) }
            }
            return .afterPause
        }
    }

    /// Two intervals and ten minutes back: what the last sweep saw in motion is seen again at rest.
    private var period: ClosedRange<Date> {
        let now = Date()
        return now.addingTimeInterval(-(interval * 2 / .seconds(1)) - 600)...now
    }

    private func sweep(_ gateway: any MerchantGateway) async {
        do {
            var seen = 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for try await payment in gateway.payments(in: period) {
                    if seen >= Self.concurrency { try await group.next() }
                    seen += 1
                    group.addTask { _ = try await reviewer.follow(payment) }
                }
                try await group.waitForAll()
            }
            logger.debug("swept", metadata: ["gateway": "\(gateway.name)", "payments": "\(seen)"])
        } catch {
            logger.warning("a sweep ended early", metadata: ["gateway": "\(gateway.name)", "error": "\(error)"])
        }
    }
}
