/// A circuit breaker as a pure state machine.
///
/// While closed, every call goes through. It opens after a number of failures in a row, or if the share of failures in
/// a window is too large. While open, every call fails at once, so that callers don't wait and the gateway can recover.
/// After a pause one probe goes through; its outcome closes or opens the circuit.
struct Circuit: Sendable {
    enum State: Hashable, Sendable {
        case closed
        case open(until: ContinuousClock.Instant)
        /// Half-open: one probe is running.
        case probing
    }

    /// Allows one call; its outcome counts only in the state that it was allowed in.
    struct Permit: Hashable, Sendable {
        fileprivate let epoch: Int
    }

    /// What a call shows about the gateway's health.
    enum Outcome: Hashable, Sendable {
        case success
        case failure
        /// Nothing: the caller gave up, or the gateway asked it to retry later.
        case neither
    }

    private(set) var state = State.closed
    private let limits: CircuitLimits
    private var epoch = 0
    private var failuresInARow = 0
    private var windowStart: ContinuousClock.Instant?
    private var calls = 0
    private var failures = 0

    init(_ limits: CircuitLimits) {
        self.limits = limits
    }

    /// Whether a call would be refused now.
    func isBlocked(at now: ContinuousClock.Instant) -> Bool {
        switch state {
        case .closed: false
        case .open(let until): now < until
        case .probing: true
        }
    }

    /// Allows a call; nil if it must fail.
    mutating func admit(at now: ContinuousClock.Instant) -> Permit? {
        guard !isBlocked(at: now) else { return nil }
        if state != .closed { change(to: .probing) }
        return Permit(epoch: epoch)
    }

    /// Records the outcome of an allowed call.
    mutating func record(_ outcome: Outcome, _ permit: Permit, at now: ContinuousClock.Instant) {
        guard permit.epoch == epoch else { return }
        switch (state, outcome) {
        case (.probing, .success): change(to: .closed)
        case (.probing, .failure): change(to: .open(until: now + limits.pause))
        // The probe had no result: the next call is a probe.
        case (.probing, .neither): change(to: .open(until: now))
        case (.closed, .success), (.closed, .failure): count(outcome, at: now)
        case (.closed, .neither), (.open, _): break
        }
    }

    private mutating func count(_ outcome: Outcome, at now: ContinuousClock.Instant) {
        if windowStart.map({ $0 + limits.window <= now }) ?? true {
            windowStart = now
            calls = 0
            failures = 0
        }
        calls += 1
        failures += outcome == .failure ? 1 : 0
        failuresInARow = outcome == .failure ? failuresInARow + 1 : 0
        let isShareTooLarge = calls >= limits.minimumCalls && Double(failures) >= Double(calls) * limits.failureRatio
        if failuresInARow >= limits.consecutiveFailures || isShareTooLarge {
            change(to: .open(until: now + limits.pause))
        }
    }

    private mutating func change(to new: State) {
        state = new
        epoch += 1
        failuresInARow = 0
        windowStart = nil
    }
}

extension Circuit.Outcome {
    /// Every well-formed response is a sign of health, including refusals and "not found".
    init(_ error: GatewayError) {
        switch error.code {
        case .timeout, .unreachable, .connectionLost, .untrusted, .serverError, .malformedAnswer, .redirect, .tooLarge:
            self = .failure
        case .cancelled, .rateLimited, .invalidRequest, .overloaded, .circuitOpen: self = .neither
        default: self = .success
        }
    }
}
