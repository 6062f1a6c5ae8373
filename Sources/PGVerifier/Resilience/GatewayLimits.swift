/// How long and how hard a gateway is asked.
package struct GatewayLimits: Hashable, Sendable {
    /// How long making a connection may take.
    package var connectTimeout: Duration = .seconds(3)

    /// How long one attempt may take; what is left of the question's time allows another.
    package var attemptTimeout: Duration = .seconds(4)

    /// How long one question may take in all: waiting, token, attempts and the pauses between them.
    package var totalTimeout: Duration = .seconds(10)

    /// How long a cancellation may take in all, and each of its attempts.
    ///
    /// It waits for the card network: at least 60 seconds (PortOne V2 contract, conventions).
    package var cancelTimeout: Duration = .seconds(60)

    /// How often a question is asked at most.
    package var maxAttempts = 3

    /// The longest pause before the second attempt; it doubles with each further one, and a random share of it is taken.
    package var retryPause: Duration = .milliseconds(200)

    /// The longest pause before any attempt.
    package var maxRetryPause: Duration = .seconds(5)

    /// How many calls may be under way at once; further ones wait, and callers take turns (``GatewayCaller``).
    package var maxConcurrentCalls = 32

    /// How many calls a second may be made; nil for no bound.
    ///
    /// PortOne publishes no rate.
    package var callsPerSecond: Double? = 500

    /// How many calls may be made at once after a time of silence.
    package var callBurst = 500

    /// How many V1 look-ups are under way at once; what has to wait, for these or for the rate, shares the next call.
    package var lookupsAtOnce = 8

    /// How many V1 look-ups may wait to be gathered.
    package var maxWaitingLookups = 10_000

    /// When to stop asking a gateway that is broken.
    package var circuit = CircuitLimits()

    /// How large the answer about one payment may be.
    package var maxResponseBytes = 1 << 20

    /// How large the answer about many payments may be.
    package var maxListBytes = 16 << 20

    /// How many payments are asked for at a time when walking a period; 1 to 1000.
    package var pageSize = 500

    /// The defaults, which suit production.
    package init() {}

    /// The defaults with another time for a question.
    package init(totalTimeout: Duration) {
        self.totalTimeout = totalTimeout
    }

    /// The defaults with another time for a question and another rate, of which a second's worth may come at once.
    package init(totalTimeout: Duration, callsPerSecond: Int) {
        self.totalTimeout = totalTimeout
        self.callsPerSecond = Double(callsPerSecond)
        callBurst = callsPerSecond
    }
}

/// When a circuit opens and closes.
package struct CircuitLimits: Hashable, Sendable {
    /// How many failures in a row open it.
    package var consecutiveFailures = 10

    /// Which share of failures among the calls of a window opens it.
    package var failureRatio = 0.5

    /// How many calls a window must have seen for the share to count.
    package var minimumCalls = 20

    /// How long a window is.
    package var window: Duration = .seconds(10)

    /// How long it stays open before a probe is let through.
    package var pause: Duration = .seconds(5)

    /// The defaults, which suit production.
    package init() {}
}
