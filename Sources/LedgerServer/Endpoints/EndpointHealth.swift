import Foundation

/// How the latest attempts at an endpoint went.
///
/// After a few failures in a row, the endpoint itself is taken to be down: it gets one attempt at a time, with pauses,
/// until one succeeds. So an outage neither uses up the retries of many events nor delays other endpoints.
struct EndpointHealth: Sendable, Equatable {
    /// The failed attempts since the last success.
    var failures = 0
    /// When the first of them was; nil: the latest attempt succeeded.
    var failingSince: Date?
    /// Until when nothing is sent; nil: not paused.
    var pausedUntil: Date?

    /// The failures in a row after which an endpoint is down.
    static let patience = 3
    /// How long attempts may fail, without a success, before the endpoint is disabled.
    static let longestFailing: TimeInterval = 5 * 24 * 3600
    /// The longest pause between two attempts at an endpoint that is down.
    static let longestPause: Duration = .seconds(60)
    /// The longest pause that a receiver can ask for with 429 and `Retry-After`.
    static let longestRequestedPause: Duration = .seconds(300)

    /// Whether the endpoint itself does not work.
    var isDown: Bool { failures >= Self.patience }

    /// How many attempts can run at the same time, out of a maximum.
    func width(of most: Int) -> Int { isDown ? 1 : most }

    /// Whether nothing may be sent now.
    func isPaused(at now: Date) -> Bool { pausedUntil.map { now < $0 } ?? false }

    /// Whether attempts failed for so long that the endpoint is to be disabled.
    func isHopeless(at now: Date) -> Bool {
        failingSince.map { now.timeIntervalSince($0) >= Self.longestFailing } ?? false
    }

    /// Records a success.
    mutating func succeed() { self = EndpointHealth() }

    /// Records a failure.
    ///
    /// - Parameter requested: the pause that the receiver asked for with 429; nil: none.
    mutating func fail(
        at now: Date, requestedPause requested: Duration?,
        random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) {
        failures = min(failures + 1, 1_000_000)
        failingSince = failingSince ?? now
        let asked = min(requested ?? .zero, Self.longestRequestedPause)
        let pause = isDown ? max(asked, Self.pause(after: failures) * random(0.8...1)) : asked
        pausedUntil = pause > .zero ? now + pause / .seconds(1) : nil
    }

    private static func pause(after failures: Int) -> Duration {
        min(.seconds(5) * (1 << min(failures - patience, 10)), longestPause)
    }
}
