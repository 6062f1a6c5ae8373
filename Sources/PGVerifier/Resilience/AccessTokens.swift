import Batching
import Logging
import Timing

/// Stores the access token that all calls share, and renews it once for all waiting calls.
///
/// It renews the token a minute before its end; calls use the old one in the meantime. PortOne V1 then extends the same
/// token (PortOne V1 contract, token reuse). Refused keys are not retried for some seconds.
actor AccessTokens: SharesOutcome {
    typealias Value = AccessToken

    private let fetch: @Sendable () async -> Outcome
    private let logger: Logger
    private let time: Time

    private var current: AccessToken?
    private var isRenewing = false
    var waiters = Waiters<Outcome, Never>()
    private var lastFailure: (error: GatewayError, until: ContinuousClock.Instant)?

    /// The remaining time at which a renewal starts.
    private static let renewalMargin = Duration.seconds(60)
    /// The remaining time below which calls wait for the new token.
    private static let usableMargin = Duration.seconds(5)
    private static let backOffAfterRefusal = Duration.seconds(5)
    private static let backOffAfterFailure = Duration.seconds(1)

    init(
        logger: Logger, time: Time, fetch: @escaping @Sendable () async -> Outcome
    ) {
        self.logger = logger
        self.time = time
        self.fetch = fetch
    }

    /// A valid token; not `rejected`, which the gateway refused.
    func token(insteadOf rejected: AccessToken? = nil) async -> Outcome {
        if let rejected, current?.text == rejected.text { current = nil }
        let lifetime = current.map { time.instant.duration(to: $0.expiresAt) } ?? .zero
        if let current, lifetime >= Self.renewalMargin { return .success(current) }
        if let current, lifetime >= Self.usableMargin {
            if failure(of: .any) == nil { renew() }
            return .success(current)
        }
        if let refusal = failure(of: .refusal) { return .failure(refusal) }
        renew()
        return await sharedOutcome()
    }

    private enum Kind {
        case any
        case refusal
    }

    /// The last failure of that kind, while it applies.
    private func failure(of kind: Kind) -> GatewayError? {
        guard let lastFailure, time.instant < lastFailure.until else { return nil }
        return kind == .any || lastFailure.error.code == .unauthorized ? lastFailure.error : nil
    }

    /// Starts a renewal unless one is running.
    ///
    /// It runs in a separate task, because it must outlive a cancelled call; the request's deadline ends it.
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
            lastFailure = (error, time.instant + pause)
            logger.warning("no access token from the gateway", metadata: ["error": "\(error)"])
        }
        share(outcome)
    }
}

/// An access token, with the end of its validity by our monotonic clock.
struct AccessToken: Sendable {
    let text: String
    let expiresAt: ContinuousClock.Instant

    /// - Parameters:
    ///   - sent: when the request for it was sent.
    ///   - seconds: how long the gateway says that it is valid; at most a day counts.
    /// - Throws: ``GatewayError/Code/malformedAnswer`` if it can't be a header's value.
    init(_ text: String?, sent: ContinuousClock.Instant, seconds: Int64?) throws(GatewayError) {
        guard let text, (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let seconds
        else { throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the token is unusable") }
        self.text = text
        expiresAt = sent + .seconds(min(max(0, seconds), 86_400))
    }
}
