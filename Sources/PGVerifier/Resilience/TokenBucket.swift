import Synchronization

/// So many calls a second, and a burst after a time of silence.
final class TokenBucket: Sendable {
    private struct State {
        var tokens: Double
        var asOf: ContinuousClock.Instant
    }

    private let rate: Double
    private let burst: Double
    private let timing: GatewayTiming
    private let state: Mutex<State>

    init(perSecond rate: Double, burst: Int, timing: GatewayTiming) {
        precondition(rate > 0 && burst > 0, "a bucket that never fills lets nobody through")
        self.rate = rate
        self.burst = Double(burst)
        self.timing = timing
        state = Mutex(State(tokens: Double(burst), asOf: timing.now()))
    }

    /// Takes a token, and waits until it is there.
    ///
    /// Each caller takes its token at once, on credit if need be, so that callers come through in the order in which
    /// they asked. A caller that is cancelled gives its token back.
    ///
    /// - Throws: ``GatewayError/Code/cancelled``.
    func take() async throws(GatewayError) {
        let wait = reserve()
        guard wait > .zero else { return }
        do {
            try await timing.sleep(wait)
        } catch {
            state.withLock { $0.tokens = min(burst, $0.tokens + 1) }
            throw GatewayError(.cancelled, message: "the task was cancelled")
        }
    }

    /// How long the caller has to wait for the token that it has now taken.
    func reserve() -> Duration {
        let now = timing.now()
        return state.withLock { state in
            let elapsed = max(0, state.asOf.duration(to: now) / .seconds(1))
            state.tokens = min(burst, state.tokens + elapsed * rate) - 1
            state.asOf = max(state.asOf, now)
            return state.tokens >= 0 ? .zero : .seconds(-state.tokens / rate)
        }
    }
}
