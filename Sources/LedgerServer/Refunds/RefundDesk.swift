import Ledger
import PGVerifier
import ServiceLifecycle
import Timing

/// Performs refunds: new ones at once, waiting ones when they are due.
///
/// A gateway can take a minute for a cancellation, and an interrupted cancellation must be looked up afterwards. So
/// this service performs a refund, and not the HTTP request: the request waits for a while, and the work continues
/// after it.
struct RefundDesk: Service {
    let ledger: Ledger
    let work: WorkService<RefundWorker>
    let gateways: Gateways
    let policy: RefundPolicy
    private let begun: AsyncStream<Job>
    private let take: AsyncStream<Job>.Continuation

    /// How long a request waits for its refund.
    private static let patience: Duration = .seconds(10)

    /// A refund to perform; `end` is finished after the attempt.
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

    /// Whether the payment's gateway is configured and cancels payments, so that it can be refunded.
    func canAskGateway(of purchase: Purchase) -> Bool { gateways.canceller(named: purchase.payment.gateway) != nil }

    /// Requires that the gateway can be asked, unless the act is done already.
    ///
    /// Without the gateway, the refund would never be decided, and its coins would stay reserved.
    ///
    /// - Throws: `gateway_off`; `refund_by_store`.
    func requireGateway(of purchase: Purchase, under key: CallerKey) async throws {
        if !canAskGateway(of: purchase), try await !ledger.hasRecorded(key) {
            throw Problem(.noRefund(at: purchase.payment.gateway))
        }
    }

    /// Performs refunds until the service shuts down; running ones are finished.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work.run() }
            group.addTask { await driveBegun() }
            try await group.waitForAll()
        }
    }

    /// Performs only the refunds that the body begins, for a command; running ones are finished.
    ///
    /// Waiting refunds are left to the service. So is one whose command ends first: its lease ends.
    func performingBegun<Made: Sendable>(
        _ body: @escaping @Sendable () async throws -> Made
    ) async throws -> Made {
        async let driven: Void = driveBegun()
        let made = await Result { try await body() }
        take.finish()
        await driven
        return try made.get()
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

    /// Attempts a refund that was begun now, and returns it as it stands.
    ///
    /// - Parameter isRepeat: whether it was begun before; then it is only found.
    func attempt(_ begun: Refund, to account: BankAccount?, isRepeat: Bool) async throws -> Refund {
        if !isRepeat, begun.method == .gateway { await drive(PendingRefund(begun: begun, to: account)) }
        let refund = try await ledger.refunds.find(begun.id) ?? begun
        // A commit without a reply is found as a repeat, and then nobody has driven the refund yet.
        if isRepeat, refund.status == .pending { try await ledger.refunds.takeUp(refund.id) }
        return refund
    }

    /// Performs a new refund; returns after the attempt, or when the waiting time is over.
    private func drive(_ pending: PendingRefund) async {
        let (ended, end) = AsyncStream<Never>.makeStream()
        // If the service is stopping, the work list performs the refund later.
        guard case .enqueued = take.yield(Job(pending: pending, end: end)) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in ended {} }
            group.addTask { try? await Time.current.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension Problem.Code {
    /// Why a gateway can't be asked to refund: a store may do it alone, and another gateway is not configured.
    package static func noRefund(at gateway: String) -> Self {
        let isCanceller = Gateways.known(as: gateway) is any CancelsPayments.Type
        return StoreProductName.stores.contains(gateway) && !isCanceller ? .refundByStore : .gatewayOff
    }
}
