import Foundation
import Ledger
import Logging
import Metrics
import PGVerifier
import ServiceLifecycle

/// Asks the gateway again about the receipts that wait, until each is decided.
///
/// Every process does; a receipt is leased to one at a time. What a crash leaves is taken up when its lease ends.
struct ReceiptRetryService: Service {
    let verifier: ReceiptVerifier
    let ledger: Ledger
    let logger: Logger
    /// While the database is away the last count known stays, and no scrape has to wait for it.
    private let waiting = Meter(label: "ledgerd_receipt_retries_waiting")

    init(verifier: ReceiptVerifier, ledger: Ledger, logger: Logger) {
        self.verifier = verifier
        self.ledger = ledger
        self.logger = logger
    }

    /// How many are asked at the same time.
    private static let concurrency = 16
    /// How long a receipt is one process's: longer than a verification can take.
    private static let lease: Duration = .seconds(60)
    /// How often due receipts are looked for.
    private static let interval: Duration = .milliseconds(500)
    /// How often at the least while the database is away.
    private static let longestInterval: Duration = .seconds(4)
    /// How often those that wait are counted.
    private static let countInterval: Duration = .seconds(2)
    /// How long the gateway may stay undecided: beyond any virtual account's deadline.
    private static let patience: TimeInterval = 30 * 24 * 3600

    /// Works until the service shuts down; what was taken by then is finished.
    func run() async throws {
        var interval = Self.interval
        var nextCount = ContinuousClock.now
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
            do {
                let took = try await askDue()
                if nextCount <= .now {
                    waiting.set(try await ledger.retries.waiting())
                    nextCount = .now + Self.countInterval
                }
                if interval > Self.interval { logger.info("receipts are asked again") }
                interval = Self.interval
                if took == Self.concurrency { continue }
            } catch {
                // An outage is one line, however long it lasts.
                if interval == Self.interval {
                    logger.warning("receipts can't be asked again now", metadata: ["error": "\(error)"])
                }
                interval = min(interval * 2, Self.longestInterval)
            }
            try? await cancelWhenGracefulShutdown { [interval] in try await Task.sleep(for: interval) }
        }
    }

    private func askDue() async throws -> Int {
        let due = try await ledger.retries.takeDue(limit: Self.concurrency, lease: Self.lease)
        await withDiscardingTaskGroup { group in
            for receipt in due { group.addTask { await ask(receipt) } }
        }
        if !due.isEmpty { logger.info("asked again about receipts", metadata: ["receipts": "\(due.count)"]) }
        return due.count
    }

    private func ask(_ waiting: WaitingReceipt) async {
        do {
            try await settle(waiting, try await verification(of: waiting))
        } catch {
            // Its lease runs out and it is asked again.
            logger.warning(
                "a receipt could not be asked again", metadata: ["id": "\(waiting.id)", "error": "\(error)"])
        }
    }

    private func verification(of waiting: WaitingReceipt) async throws -> ReceiptVerifier.Verification {
        let payment = waiting.payment
        guard payment.gateway == verifier.gateway.name else { return .waiting(.gatewayUnavailable) }
        let receipt = Receipt.v1(
            impUID: try ImpUID(payment.impUID), merchantUID: try MerchantUID(payment.merchantUID))
        return try await verifier.verify(receipt, for: waiting.user)
    }

    private func settle(_ waiting: WaitingReceipt, _ verification: ReceiptVerifier.Verification) async throws {
        switch verification {
        case .credited: try await decide(waiting, .credited, "credited")
        case .refused(let code): try await decide(waiting, .refused, code.rawValue)
        case .waiting(let reason) where waiting.createdAt.timeIntervalSinceNow < -Self.patience:
            try await decide(waiting, .abandoned, reason.rawValue)
        case .waiting(let reason):
            let delay = reason.backoff.delay(afterAttempts: Int(waiting.attempts))
            try await ledger.retries.postpone(waiting, because: reason.rawValue, by: delay)
        }
    }

    private func decide(
        _ waiting: WaitingReceipt, _ decision: ReceiptRetries.Decision, _ reason: String
    ) async throws {
        try await ledger.retries.decide(waiting, decision, because: reason)
        Counter(label: "ledgerd_receipt_retries_decided_total", dimensions: [("decision", decision.rawValue)])
            .increment()
    }
}
