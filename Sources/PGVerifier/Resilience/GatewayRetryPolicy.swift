/// Decides whether and when a request is retried.
struct GatewayRetryPolicy: Hashable, Sendable {
    var maxAttempts: Int
    var pause: Duration
    var maxPause: Duration

    init(_ limits: GatewayLimits) {
        maxAttempts = limits.maxAttempts
        pause = limits.retryPause
        maxPause = limits.maxRetryPause
    }

    /// The pause before the next attempt; nil: no further attempt.
    ///
    /// The pause has full jitter: a random part of the maximum, so that callers that failed at the same time do not
    /// retry at the same time. `Retry-After` is the minimum. There is no attempt after the deadline.
    func pause(
        after error: GatewayError, attempts: Int, random: Double, timeLeft: Duration
    ) -> Duration? {
        guard attempts < maxAttempts, error.isWorthRepeating else { return nil }
        let ceiling = min(maxPause, pause * (1 << min(attempts - 1, 20)))
        let wait = max(ceiling * random, error.retryAfter ?? .zero)
        return wait < timeLeft ? wait : nil
    }
}

extension GatewayError {
    /// Whether the same call may succeed if it is retried.
    ///
    /// Not after an open circuit or a full queue, because these last longer than a caller waits.
    fileprivate var isWorthRepeating: Bool {
        switch code {
        case .timeout, .unreachable, .connectionLost, .rateLimited, .serverError, .stillRunning, .notFoundYet: true
        default: false
        }
    }
}
