import Foundation
import Ledger
import Logging
import Metrics
import PGVerifier
import ServiceLifecycle
import Timing

/// Reviews the latest payments of the gateways that list them, at the start and periodically, because a webhook can be lost.
///
/// Every process sweeps; a second review of a payment has no effect. A sweep asks for one page after another, so that of
/// many processes that start together each has at most one request for a list under way at a gateway.
struct PaymentSweep: Service {
    let gateways: [any ListsPayments]
    let interval: Duration
    let logger: Logger
    let review: @Sendable (GatewayPayment) async throws -> Void

    /// The number of payments that are reviewed at the same time.
    private static let concurrency = 16

    func run() async throws {
        let repetition = Repetition(pause: interval, failure: "sweep failed", logger: logger)
        await repetition.run {
            await GatewayCaller.$current.withValue(.service("sweep")) {
                for gateway in gateways { await sweep(gateway) }
            }
            return .afterPause
        }
    }

    /// Two intervals and ten minutes, so that payments that changed during the last sweep are reviewed again.
    private var period: ClosedRange<Date> {
        let now = Time.current.now
        return now.addingTimeInterval(-(interval * 2 / .seconds(1)) - 600)...now
    }

    private func sweep(_ gateway: any ListsPayments) async {
        do {
            var seen = 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for try await payment in gateway.payments(in: period) {
                    if seen >= Self.concurrency { try await group.next() }
                    seen += 1
                    group.addTask { try await review(payment) }
                }
                try await group.waitForAll()
            }
            logger.debug("sweep finished", metadata: ["gateway": "\(gateway.name)", "payments": "\(seen)"])
        } catch {
            logger.warning("sweep interrupted", metadata: ["gateway": "\(gateway.name)", "error": "\(error)"])
        }
    }
}
