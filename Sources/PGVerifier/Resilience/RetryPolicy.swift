/// Whether and when to retry.
struct RetryPolicy: Hashable, Sendable {
    var maxAttempts: Int
    var pause: Duration
    var maxPause: Duration

    init(_ limits: GatewayLimits) {
        maxAttempts = limits.maxAttempts
        pause = limits.retryPause
        maxPause = limits.maxRetryPause
    }

    /// The pause before the next attempt; nil for no retry.
    ///
    /// Full jitter: a random part of the pause, so that callers who failed together don't retry together. `Retry-After`
    /// is the minimum. No attempt starts after the deadline.
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
    /// Whether the same call can succeed soon.
    ///
    /// Not after an open circuit or a full queue, because their pause is longer than a caller waits.
    fileprivate var isWorthRepeating: Bool {
        switch code {
        case .timeout, .unreachable, .connectionLost, .rateLimited, .serverError, .stillRunning: true
        default: false
        }
    }
}
