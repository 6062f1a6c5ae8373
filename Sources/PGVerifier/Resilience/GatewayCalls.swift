/// One of the times that a question is asked.
struct Attempt: Hashable, Sendable {
    /// 1 for the first.
    var number: Int

    /// When the whole question has to be answered.
    let deadline: ContinuousClock.Instant
}

/// Every call to one gateway goes through here: in time, not too many at once, not too often, not while it is broken,
/// and again where that is safe.
struct GatewayCalls: Sendable {
    let limits: GatewayLimits
    let timing: GatewayTiming
    let metrics: GatewayMetrics

    private let transport: any HTTPTransport
    private let slots: CallSlots
    private let breaker: CircuitBreaker

    init(
        gateway: String, limits: GatewayLimits, transport: any HTTPTransport, timing: GatewayTiming,
        metrics: GatewayMetrics? = nil
    ) {
        let metrics = metrics ?? GatewayMetrics(gateway: gateway)
        self.limits = limits
        self.timing = timing
        self.metrics = metrics
        self.transport = transport
        slots = CallSlots(
            limits.maxConcurrentCalls,
            bucket: limits.callsPerSecond.map {
                TokenBucket(perSecond: $0, burst: limits.callBurst, now: timing.now())
            }, timing: timing
        ) { metrics.waiting($0) }
        breaker = CircuitBreaker(limits.circuit, now: timing.now) { metrics.circuit($0) }
        // A series that appears only in trouble can't be watched before.
        metrics.circuit(.closed)
        metrics.waiting(0)
    }

    /// Answers a question within `limit`, however often it has to be asked.
    ///
    /// `attempt` asks it once, by ``exchange(_:_:reading:)``; it must be safe to repeat.
    ///
    /// - Throws: ``GatewayError``: the last attempt's, or a timeout.
    func ask<Answer: Sendable>(
        _ operation: String, within limit: Duration,
        _ attempt: @escaping @Sendable (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try await metrics.measure(operation) { () throws(GatewayError) in
            let deadline = timing.now() + limit
            return try await PGVerifier.within(limit) {
                do throws(GatewayError) {
                    return .success(try await repeated(operation, until: deadline, attempt))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    private func repeated<Answer: Sendable>(
        _ operation: String, until deadline: ContinuousClock.Instant,
        _ attempt: (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let policy = RetryPolicy(limits)
        var current = Attempt(number: 1, deadline: deadline)
        while true {
            do throws(GatewayError) {
                return try await attempt(current)
            } catch {
                let timeLeft = timing.now().duration(to: deadline)
                guard
                    let pause = policy.pause(
                        after: error, attempts: current.number, random: timing.random(), timeLeft: timeLeft),
                    (try? await timing.sleep(pause)) != nil
                else { throw error }
            }
            current.number += 1
            metrics.retried(operation)
        }
    }

    /// Sends one request when its caller's turn comes (``GatewayCaller``), and reads the answer.
    ///
    /// The circuit learns from what `read` throws, so it should read as far as the gateway's health shows, and no
    /// further: one payment that can't be read doesn't mean that the gateway is broken.
    func exchange<Answer>(
        _ request: HTTPRequest, _ attempt: Attempt, for caller: GatewayCaller = .current,
        reading read: (HTTPResponse) throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try breaker.check()
        return try await slots.withSlot(for: caller) { () throws(GatewayError) in
            try await breaker.run { () throws(GatewayError) in
                var request = request
                request.totalTimeout = min(request.totalTimeout, timing.now().duration(to: attempt.deadline))
                guard request.totalTimeout > .zero else {
                    // Our own queue took the time, which says nothing about the gateway.
                    throw GatewayError(.overloaded, message: "no time was left to ask")
                }
                return try read(try await transport.answer(to: request))
            }
        }
    }
}

extension HTTPTransport {
    fileprivate func answer(to request: HTTPRequest) async throws(GatewayError) -> HTTPResponse {
        do throws(TransportError) {
            return try await send(request)
        } catch {
            throw GatewayError(error)
        }
    }
}
