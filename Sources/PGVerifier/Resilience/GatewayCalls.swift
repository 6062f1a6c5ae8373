import Synchronization

/// One of the times that a question is asked.
struct Attempt: Sendable {
    /// 1 for the first.
    var number: Int

    /// When the whole question has to be answered.
    let deadline: ContinuousClock.Instant

    /// The place that it has already, if any.
    var admission: Admission?
}

/// A place among the calls that was taken before it was known what is asked, and the token to ask with.
final class Admission: Sendable {
    let token: AccessToken
    private let slots: CallSlots
    private let isLeft = Atomic(true)

    fileprivate init(token: AccessToken, slots: CallSlots) {
        self.token = token
        self.slots = slots
    }

    /// Whether the place is still there for the call that is now made; from then on it is that call's.
    fileprivate func use() -> Bool { isLeft.exchange(false, ordering: .acquiringAndReleasing) }

    /// Leaves the place to others, unless a call was made with it.
    func giveBack() { if use() { slots.leaveUnused() } }
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
                    return .success(try await repeated(operation, until: deadline, nil, attempt))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// Answers a question whose callers leave by themselves when the time is over: then the task is cancelled.
    ///
    /// Nothing is begun after the deadline.
    ///
    /// - Parameter admission: the place of the first attempt, if it has one already.
    /// - Throws: ``GatewayError``: the last attempt's.
    func ask<Answer: Sendable>(
        _ operation: String, until deadline: ContinuousClock.Instant, _ admission: Admission? = nil,
        _ attempt: (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try await metrics.measure(operation) { () throws(GatewayError) in
            try await repeated(operation, until: deadline, admission, attempt)
        }
    }

    /// Whether the gateway is asked at all now.
    var isOpen: Bool { (try? breaker.check()) != nil }

    /// Waits for a place among the calls and for the rate limit; nil when the task is cancelled meanwhile.
    func admission(for caller: GatewayCaller, token: AccessToken) async -> Admission? {
        await slots.enter(for: caller) ? Admission(token: token, slots: slots) : nil
    }

    private func repeated<Answer: Sendable>(
        _ operation: String, until deadline: ContinuousClock.Instant, _ admission: Admission?,
        _ attempt: (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let policy = GatewayRetryPolicy(limits)
        var current = Attempt(number: 1, deadline: deadline, admission: admission)
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
            current.admission = nil
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
        let hasPlace = attempt.admission?.use() ?? false
        return try await slots.withSlot(for: caller, taken: hasPlace) { () throws(GatewayError) in
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
