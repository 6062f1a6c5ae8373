/// The delays of retries: they double from a base to a cap, with full jitter, so that items that failed together are
/// not retried together (AWS Architecture Blog, "Exponential Backoff and Jitter").
struct Backoff: Sendable {
    /// The maximum first delay.
    let base: Duration
    /// The maximum delay.
    let cap: Duration
    /// The minimum delay, because full jitter can be zero.
    let floor: Duration

    /// While the gateway can't be reached.
    static let gatewayUnavailable = Backoff(base: .seconds(1), cap: .seconds(300), floor: .milliseconds(250))
    /// While the user has not paid: virtual accounts take hours to days.
    static let awaitingPayment = Backoff(base: .seconds(15), cap: .seconds(1800), floor: .seconds(5))

    /// While other users can still claim a payment.
    static let claimPending = Backoff(base: .seconds(2), cap: .seconds(10), floor: .seconds(1))

    /// While a gateway may be carrying out a cancellation.
    static let cancelling = Backoff(base: .seconds(1), cap: .seconds(10), floor: .milliseconds(500))

    /// The delay after a number of attempts.
    func delay(
        afterAttempts attempts: Int, random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) -> Duration {
        let doublings = min(max(0, attempts), 20)
        let ceiling = min(cap, base * (1 << doublings))
        return max(floor, ceiling * random(0...1))
    }
}
