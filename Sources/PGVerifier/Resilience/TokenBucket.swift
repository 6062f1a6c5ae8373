/// So many calls a second, and a burst after a time of silence.
struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var asOf: ContinuousClock.Instant

    /// Below this no wait is worth a timer; and rounding can't make a wait of nothing, again and again.
    private static let shortestWait = Duration.microseconds(100)

    init(perSecond rate: Double, burst: Int, now: ContinuousClock.Instant) {
        precondition(rate > 0 && burst > 0, "a bucket that never fills lets nobody through")
        self.rate = rate
        self.burst = Double(burst)
        tokens = Double(burst)
        asOf = now
    }

    /// Takes a token and returns nil or, when there is none, how long the next one takes.
    mutating func take(at now: ContinuousClock.Instant) -> Duration? {
        let elapsed = max(0, asOf.duration(to: now) / .seconds(1))
        tokens = min(burst, tokens + elapsed * rate)
        asOf = max(asOf, now)
        guard tokens >= 1 else { return max(Self.shortestWait, .seconds((1 - tokens) / rate)) }
        tokens -= 1
        return nil
    }

    /// Puts a token back that was not used.
    mutating func putBack() { tokens = min(burst, tokens + 1) }
}
