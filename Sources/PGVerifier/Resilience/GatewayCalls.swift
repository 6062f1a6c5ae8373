import OutboundHTTP
import Synchronization

/// One attempt at a request.
struct Attempt: Sendable {
    /// 1 for the first.
    var number: Int

    /// The deadline of the whole request.
    let deadline: ContinuousClock.Instant

    /// The slot that it already has, if any.
    var admission: Admission?

    /// What all attempts of the request have sent.
    let sent = SentChanges()
}

/// Whether an attempt sent a request that changes something, other than a look-up, and that may have been carried out.
///
/// Only this tells what an error means for such a request: the token and the slot, for which it waits first, fail with the
/// same codes.
final class SentChanges: Sendable {
    private let isUnknown = Atomic(false)

    /// Whether one may have been carried out.
    var mayHaveBeenCarriedOut: Bool { isUnknown.load(ordering: .acquiring) }

    /// Notes that `send` sends the request, unless it fails with an error that excludes that it was carried out.
    fileprivate func note<Answer>(
        _ request: HTTPRequest, _ send: () async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        guard request.method != .get else { return try await send() }
        let before = isUnknown.exchange(true, ordering: .acquiringAndReleasing)
        do throws(GatewayError) {
            return try await send()
        } catch {
            if !error.mayHaveBeenCarriedOut { isUnknown.store(before, ordering: .releasing) }
            throw error
        }
    }
}

/// A slot that was taken before the content of the call is known, and the access token.
final class Admission: Sendable {
    let token: AccessToken
    private let slots: CallSlots
    private let isLeft = Atomic(true)

    fileprivate init(token: AccessToken, slots: CallSlots) {
        self.token = token
        self.slots = slots
    }

    /// Whether the slot is still unused; marks it as used by the call.
    fileprivate func use() -> Bool { isLeft.exchange(false, ordering: .acquiringAndReleasing) }

    /// Returns the slot, unless a call used it.
    func giveBack() { if use() { slots.leaveUnused() } }
}

/// All calls to one gateway: with deadlines, limits on number and rate, a circuit breaker, and safe retries.
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
                TokenBucket(perSecond: $0, burst: limits.callBurst, now: timing.time.instant)
            }, timing: timing
        ) { metrics.waiting($0) }
        breaker = CircuitBreaker(limits.circuit, time: timing.time) { metrics.circuit($0) }
        // Sets the series at the start, so that monitoring can see it before a failure.
        metrics.circuit(.closed)
        metrics.waiting(0)
    }

    /// Sends a request within `limit`, with retries.
    ///
    /// `attempt` sends it once, with ``exchange(_:_:reading:)``; it must be safe to repeat.
    ///
    /// - Parameter repeats: false: there is one attempt, which need not be safe to repeat.
    /// - Throws: ``GatewayError``: the last attempt's, or a timeout; without ``GatewayError/mayHaveBeenCarriedOut`` if no
    ///   request that changes something was sent.
    func ask<Answer: Sendable>(
        _ operation: String, within limit: Duration, repeats: Bool = true,
        _ attempt: @escaping @Sendable (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try await metrics.measure(operation) { () throws(GatewayError) in
            let first = Attempt(number: 1, deadline: timing.time.instant + limit)
            do throws(GatewayError) {
                return try await PGVerifier.within(limit, by: timing.time) {
                    do throws(GatewayError) {
                        return .success(try await repeated(operation, first, repeats: repeats, attempt))
                    } catch {
                        return .failure(error)
                    }
                }
            } catch {
                throw first.sent.mayHaveBeenCarriedOut ? error : error.withoutEffect
            }
        }
    }

    /// Sends a request whose callers have their own time limit: then the task is cancelled.
    ///
    /// No attempt starts after the deadline.
    ///
    /// - Parameter admission: the slot of the first attempt, if it already has one.
    /// - Throws: ``GatewayError``: the last attempt's.
    func ask<Answer: Sendable>(
        _ operation: String, until deadline: ContinuousClock.Instant, _ admission: Admission? = nil,
        _ attempt: (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try await metrics.measure(operation) { () throws(GatewayError) in
            let first = Attempt(number: 1, deadline: deadline, admission: admission)
            return try await repeated(operation, first, repeats: true, attempt)
        }
    }

    /// Whether calls are possible now (circuit closed).
    var isOpen: Bool { (try? breaker.check()) != nil }

    /// Waits for a slot and the rate limit; nil if the task is cancelled.
    func admission(for caller: GatewayCaller, token: AccessToken) async -> Admission? {
        await slots.enter(for: caller) ? Admission(token: token, slots: slots) : nil
    }

    private func repeated<Answer: Sendable>(
        _ operation: String, _ first: Attempt, repeats: Bool,
        _ attempt: (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let policy = GatewayRetryPolicy(limits)
        var current = first
        while true {
            do throws(GatewayError) {
                return try await attempt(current)
            } catch {
                let timeLeft = timing.time.instant.duration(to: current.deadline)
                guard repeats,
                    let pause = policy.pause(
                        after: error, attempts: current.number, random: timing.random(), timeLeft: timeLeft),
                    (try? await timing.pause(pause)) != nil
                else { throw error }
            }
            current.number += 1
            current.admission = nil
            metrics.retried(operation)
        }
    }

    /// Sends one request when it is its caller's turn (``GatewayCaller``), and reads the response.
    ///
    /// The circuit records what `read` throws, so `read` should check only the gateway's health: one unreadable payment
    /// doesn't mean that the gateway is broken.
    func exchange<Answer>(
        _ request: HTTPRequest, _ attempt: Attempt, for caller: GatewayCaller = .current,
        reading read: (HTTPResponse) throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try breaker.check()
        let hasPlace = attempt.admission?.use() ?? false
        return try await slots.withSlot(for: caller, taken: hasPlace) { () throws(GatewayError) in
            try await breaker.run { () throws(GatewayError) in
                var request = request
                request.totalTimeout = min(request.totalTimeout, timing.time.instant.duration(to: attempt.deadline))
                guard request.totalTimeout > request.leastTime else {
                    // The time passed in our own queue, which says nothing about the gateway.
                    throw GatewayError(.overloaded, message: "no time was left for the request")
                }
                let timed = request
                return try await attempt.sent.note(timed) { () throws(GatewayError) in
                    try read(try await transport.answer(to: timed))
                }
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
