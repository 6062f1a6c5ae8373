/// Timeouts and limits of a gateway's calls.
package struct GatewayLimits: Hashable, Sendable {
    /// The timeout of a connection attempt.
    package var connectTimeout: Duration = .seconds(3)

    package var attemptTimeout: Duration = .seconds(4)

    /// The time limit of one request: waiting, token, attempts and pauses.
    package var totalTimeout: Duration = .seconds(10)

    /// The time limit of a cancellation and of each of its attempts.
    ///
    /// It waits for the card network: at least 60 seconds (PortOne V2 contract, conventions).
    package var cancelTimeout: Duration = .seconds(60)

    /// The maximum number of attempts.
    package var maxAttempts = 3

    /// The maximum pause before the second attempt.
    ///
    /// It doubles with each attempt, with full jitter.
    package var retryPause: Duration = .milliseconds(200)

    /// The maximum pause before any attempt.
    package var maxRetryPause: Duration = .seconds(5)

    /// The maximum number of simultaneous calls; further callers wait and take turns (``GatewayCaller``).
    package var maxConcurrentCalls = 32

    /// The maximum number of calls per second; nil for no limit.
    ///
    /// PortOne publishes no rate.
    package var callsPerSecond: Double? = 500

    /// The maximum burst of calls after an idle time.
    package var callBurst = 500

    /// The maximum number of simultaneous V1 look-up calls; look-ups that wait share the next call.
    package var lookupsAtOnce = 8

    /// The maximum number of waiting V1 look-ups.
    package var maxWaitingLookups = 10_000

    /// The limits of the circuit breaker.
    package var circuit = CircuitLimits()

    /// The maximum size of a response about one payment.
    package var maxResponseBytes = 1 << 20

    /// The maximum size of a response about many payments.
    package var maxListBytes = 16 << 20

    /// The page size of lists; 1 to 1000.
    package var pageSize = 500

    /// The defaults, which suit production.
    package init() {}

    /// The defaults with another time limit.
    package init(totalTimeout: Duration) {
        self.totalTimeout = totalTimeout
    }

    /// The defaults with another time limit and rate; the burst is one second's worth.
    package init(totalTimeout: Duration, callsPerSecond: Int) {
        self.totalTimeout = totalTimeout
        self.callsPerSecond = Double(callsPerSecond)
        callBurst = callsPerSecond
    }
}

/// When a circuit opens and closes.
package struct CircuitLimits: Hashable, Sendable {
    /// The number of failures in a row that opens it.
    package var consecutiveFailures = 10

    /// The share of failures in a window that opens it.
    package var failureRatio = 0.5

    /// The minimum number of calls in a window for the share to count.
    package var minimumCalls = 20

    /// The length of a window.
    package var window: Duration = .seconds(10)

    /// The time that it stays open before a probe.
    package var pause: Duration = .seconds(5)

    /// The defaults, which suit production.
    package init() {}
}
