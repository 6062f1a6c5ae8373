/// How long and how hard a gateway is asked.
public struct GatewayLimits: Hashable, Sendable {
    /// How long making a connection may take.
    public var connectTimeout: Duration = .seconds(3)

    /// How long one attempt may take; what is left of the question's time allows another.
    public var attemptTimeout: Duration = .seconds(4)

    /// How long one question may take in all: waiting, token, attempts and the pauses between them.
    public var totalTimeout: Duration = .seconds(10)

    /// How long a cancellation may take in all, and each of its attempts.
    ///
    /// It waits for the card network: at least 60 seconds (PortOne V2 contract, conventions).
    public var cancelTimeout: Duration = .seconds(60)

    /// How often a question is asked at most.
    public var maxAttempts = 3

    /// The longest pause before the second attempt; it doubles with each further one, and a random share of it is taken.
    public var retryPause: Duration = .milliseconds(200)

    /// The longest pause before any attempt.
    public var maxRetryPause: Duration = .seconds(5)

    /// How many calls may be under way at once; further ones wait, and callers take turns (``GatewayCaller``).
    public var maxConcurrentCalls = 32

    /// How many calls a second may be made; nil for no bound.
    ///
    /// PortOne publishes no rate.
    public var callsPerSecond: Double? = 500

    /// How many calls may be made at once after a time of silence.
    public var callBurst = 500

    /// How many V1 look-ups are under way at once; what has to wait, for these or for the rate, shares the next call.
    public var lookupsAtOnce = 8

    /// How many V1 look-ups may wait to be gathered.
    public var maxWaitingLookups = 10_000

    /// When to stop asking a gateway that is broken.
    public var circuit = CircuitLimits()

    /// How large the answer about one payment may be.
    public var maxResponseBytes = 1 << 20

    /// How large the answer about many payments may be.
    public var maxListBytes = 16 << 20

    /// How many payments are asked for at a time when walking a period; 1 to 1000.
    public var pageSize = 500

    /// The defaults, which suit production.
    public init() {}

    /// The defaults with another time for a question.
    public init(totalTimeout: Duration) {
        self.totalTimeout = totalTimeout
    }

    /// The defaults with another time for a question and another rate, of which a second's worth may come at once.
    public init(totalTimeout: Duration, callsPerSecond: Int) {
        self.totalTimeout = totalTimeout
        self.callsPerSecond = Double(callsPerSecond)
        callBurst = callsPerSecond
    }
}

/// When a circuit opens and closes.
public struct CircuitLimits: Hashable, Sendable {
    /// How many failures in a row open it.
    public var consecutiveFailures = 10

    /// Which share of failures among the calls of a window opens it.
    public var failureRatio = 0.5

    /// How many calls a window must have seen for the share to count.
    public var minimumCalls = 20

    /// How long a window is.
    public var window: Duration = .seconds(10)

    /// How long it stays open before a probe is let through.
    public var pause: Duration = .seconds(5)

    /// The defaults, which suit production.
    public init() {}
}
