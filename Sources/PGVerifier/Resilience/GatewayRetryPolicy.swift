/// Whether and when to ask once more.
struct GatewayRetryPolicy: Hashable, Sendable {
    var maxAttempts: Int
    var pause: Duration
    var maxPause: Duration

    init(_ limits: GatewayLimits) {
        maxAttempts = limits.maxAttempts
        pause = limits.retryPause
        maxPause = limits.maxRetryPause
    }

    /// How long to wait before the next attempt; nil when there is to be none.
    ///
    /// Full jitter: a random share of the pause, so that callers who failed together don't come back together. What the
    /// gateway asks for in `Retry-After` is the least; an attempt that could only begin after the deadline isn't made.
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
    /// Whether the same call may succeed a moment later.
    ///
    /// Not after an open circuit or a full queue: there the pause is longer than a caller waits.
    fileprivate var isWorthRepeating: Bool {
        switch code {
        case .timeout, .unreachable, .connectionLost, .rateLimited, .serverError, .stillRunning: true
        default: false
        }
    }
}
