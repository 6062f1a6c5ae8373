import Synchronization
import Timing

/// The rate of one kind of call, and the pause that the gateway asked for.
///
/// For gateways that limit each kind for itself: after a 429 further calls of the kind would only be refused too.
final class CallRate: Sendable {
    /// Longer than a gateway can mean.
    private static let longestPause = Duration.seconds(3600)

    private let slots: CallSlots
    private let pausedUntil = Mutex<ContinuousClock.Instant?>(nil)
    private let time: Time

    /// - Parameter burst: the calls after an idle time; nil: those of a second.
    init(perSecond rate: Double, burst: Int? = nil, _ limits: GatewayLimits, _ timing: GatewayTiming) {
        time = timing.time
        slots = CallSlots(
            limits.maxConcurrentCalls,
            bucket: TokenBucket(perSecond: rate, burst: burst ?? max(1, Int(rate)), now: timing.time.instant),
            timing: timing)
    }

    /// Makes a call when it is its caller's turn.
    ///
    /// - Throws: ``GatewayError/Code/rateLimited`` at once during a pause, or what `call` throws.
    func run<Answer>(_ call: () async throws(GatewayError) -> Answer) async throws(GatewayError) -> Answer {
        try check()
        return try await slots.withSlot { () throws(GatewayError) in
            try check()
            do throws(GatewayError) {
                return try await call()
            } catch {
                if error.code == .rateLimited, let pause = error.retryAfter {
                    let end = time.instant + min(pause, Self.longestPause)
                    pausedUntil.withLock { $0 = max($0 ?? end, end) }
                }
                throw error
            }
        }
    }

    private func check() throws(GatewayError) {
        guard let end = pausedUntil.withLock(\.self), time.instant < end else { return }
        throw GatewayError(
            .rateLimited, message: "the gateway asked for a pause", retryAfter: time.instant.duration(to: end))
    }
}
