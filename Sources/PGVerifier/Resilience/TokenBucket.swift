/// A token bucket: a rate of calls and a burst after an idle time.
struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var asOf: ContinuousClock.Instant

    /// The minimum wait: shorter ones aren't worth a timer, and rounding can't cause repeated waits of zero.
    private static let shortestWait = Duration.microseconds(100)

    init(perSecond rate: Double, burst: Int, now: ContinuousClock.Instant) {
        precondition(rate > 0 && burst > 0, "the rate must be positive")
        self.rate = rate
        self.burst = Double(burst)
        tokens = Double(burst)
        asOf = now
    }

    /// Takes a token and returns nil.
    ///
    /// Without a token, returns the time until the next one.
    mutating func take(at now: ContinuousClock.Instant) -> Duration? {
        let elapsed = max(0, asOf.duration(to: now) / .seconds(1))
        tokens = min(burst, tokens + elapsed * rate)
        asOf = max(asOf, now)
        guard tokens >= 1 else { return max(Self.shortestWait, .seconds((1 - tokens) / rate)) }
        tokens -= 1
        return nil
    }

    /// Returns an unused token.
    mutating func putBack() { tokens = min(burst, tokens + 1) }
}
