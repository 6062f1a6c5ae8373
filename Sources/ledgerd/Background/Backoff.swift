/// How long to wait before asking again: doubling from a base to a cap, with full jitter, so that many that failed
/// together do not come back together (AWS Architecture Blog, "Exponential Backoff and Jitter").
struct Backoff: Sendable {
    /// The longest first wait.
    let base: Duration
    /// The longest wait of all.
    let cap: Duration
    /// The shortest wait: full jitter alone may ask again at once.
    let floor: Duration

    /// While the gateway can't be reached.
    static let gatewayUnavailable = Backoff(base: .seconds(1), cap: .seconds(300), floor: .milliseconds(250))
    /// While the gateway waits for the user's money: virtual accounts take hours to days.
    static let awaitingPayment = Backoff(base: .seconds(15), cap: .seconds(1800), floor: .seconds(5))

    /// While others may still claim a payment.
    static let claimPending = Backoff(base: .seconds(2), cap: .seconds(10), floor: .seconds(1))

    /// The wait after so many attempts.
    func delay(
        afterAttempts attempts: Int, random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) -> Duration {
        let doublings = min(max(0, attempts), 20)
        let ceiling = min(cap, base * (1 << doublings))
        return max(floor, ceiling * random(0...1))
    }
}
