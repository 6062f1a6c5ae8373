import Batching
import Logging

/// Holds the one access token that all calls share, and renews it once however many wait.
///
/// Renewed from a minute before its end, because the gateway then keeps the same token alive (PortOne V1 contract,
/// token reuse); meanwhile calls go on with the old one. A key pair that was refused isn't tried again for some
/// seconds.
actor AccessTokens {
    typealias Outcome = Result<AccessToken, GatewayError>

    private let fetch: @Sendable () async -> Outcome
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant

    private var current: AccessToken?
    private var isRenewing = false
    private var waiters = Waiters<Outcome, Never>()
    private var lastFailure: (error: GatewayError, until: ContinuousClock.Instant)?

    /// Below this a renewal begins.
    private static let renewalMargin = Duration.seconds(60)
    /// Below this the token may end on its way: wait for the new one.
    private static let usableMargin = Duration.seconds(5)
    private static let backOffAfterRefusal = Duration.seconds(5)
    private static let backOffAfterFailure = Duration.seconds(1)

    init(
        logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant,
        fetch: @escaping @Sendable () async -> Outcome
    ) {
        self.logger = logger
        self.now = now
        self.fetch = fetch
    }

    /// A token to call with; another than `rejected`, which the gateway no longer takes.
    func token(insteadOf rejected: AccessToken? = nil) async -> Outcome {
        if let rejected, current?.text == rejected.text { current = nil }
        let lifetime = current.map { now().duration(to: $0.expiresAt) } ?? .zero
        if let current, lifetime >= Self.renewalMargin { return .success(current) }
        if let current, lifetime >= Self.usableMargin {
            if failure(of: .any) == nil { renew() }
            return .success(current)
        }
        if let refusal = failure(of: .refusal) { return .failure(refusal) }
        renew()
        return await renewed()
    }

    private enum Kind {
        case any
        case refusal
    }

    /// The last failure of that kind, while it is to be respected.
    private func failure(of kind: Kind) -> GatewayError? {
        guard let lastFailure, now() < lastFailure.until else { return nil }
        return kind == .any || lastFailure.error.code == .unauthorized ? lastFailure.error : nil
    }

    /// Begins a renewal unless one is under way.
    ///
    /// A task of its own, for it outlives the call that began it when that is cancelled; the request's deadline ends
    /// it.
    private func renew() {
        guard !isRenewing else { return }
        isRenewing = true
        Task { finish(await fetch()) }
    }

    private func finish(_ outcome: Outcome) {
        isRenewing = false
        switch outcome {
        case .success(let token):
            current = token
            lastFailure = nil
        case .failure(let error):
            let pause = error.code == .unauthorized ? Self.backOffAfterRefusal : Self.backOffAfterFailure
            lastFailure = (error, now() + pause)
            logger.warning("no access token from the gateway", metadata: ["error": "\(error)"])
        }
        for waiter in waiters.removeAll() { waiter.resume(returning: outcome) }
    }

    private func renewed() async -> Outcome {
        let ticket = WaiterTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: Self.cancelled) }
                waiters.append(continuation, as: ticket)
            }
        } onCancel: {
            Task { await abandon(ticket) }
        }
    }

    private func abandon(_ ticket: WaiterTicket) {
        waiters.remove(ticket)?.resume(returning: Self.cancelled)
    }

    private static let cancelled = Outcome.failure(GatewayError(.cancelled, message: "the task was cancelled"))
}
