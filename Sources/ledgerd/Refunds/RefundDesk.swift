import Ledger
import PGVerifier
import ServiceLifecycle

/// Has refunds driven: those just begun at once, those that wait when they are due.
///
/// A gateway may take a minute to cancel, and a cancellation that is cut off has to be asked about afterwards. So the work
/// on a refund belongs to this service and not to the request that began it: who asked waits for a while, and the work
/// goes on.
struct RefundDesk: Service {
    let ledger: Ledger
    let work: WorkService<RefundWorker>
    let gateways: Gateways
    let policy: RefundPolicy
    private let begun: AsyncStream<Job>
    private let take: AsyncStream<Job>.Continuation

    /// How long who asked for a refund waits for it.
    private static let patience: Duration = .seconds(10)

    /// A refund to drive, and whom to tell when that has come to an end.
    private struct Job: Sendable {
        let pending: PendingRefund
        let end: AsyncStream<Never>.Continuation
    }

    init(ledger: Ledger, work: WorkService<RefundWorker>, gateways: Gateways, policy: RefundPolicy) {
        self.ledger = ledger
        self.work = work
        self.gateways = gateways
        self.policy = policy
        (begun, take) = AsyncStream.makeStream()
    }

    /// Whether the gateway that took the payment is configured here, so that it can give it back.
    func canAskGateway(of purchase: Purchase) -> Bool { gateways.gateway(named: purchase.payment.gateway) != nil }

    /// Works until the service shuts down; what was begun by then is finished.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work.run() }
            group.addTask { await driveBegun() }
            try await group.waitForAll()
        }
    }

    private func driveBegun() async {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await job in begun {
                    group.addTask {
                        await work.workOn(job.pending)
                        job.end.finish()
                    }
                }
            }
        } onGracefulShutdown: {
            take.finish()
        }
    }

    /// Has a refund that was just begun driven, and returns when that has come to an end, or after a while.
    func drive(_ pending: PendingRefund) async {
        let (ended, end) = AsyncStream<Never>.makeStream()
        // Should the service be stopping, the work list takes the refund up later.
        guard case .enqueued = take.yield(Job(pending: pending, end: end)) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in ended {} }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }
}
