import Foundation
import OutboundHTTP

/// When a failed delivery of an event is tried again.
enum RetrySchedule {
    /// The delays after the first, second, … failed attempt; after the last retry, the event is given up.
    ///
    /// Retries go on for three and a half days, so that a receiver that fails on a Friday evening misses nothing.
    static let delays: [Duration] = [
        .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .hours(2), .hours(5), .hours(10), .hours(10), .hours(14),
        .hours(20), .hours(24),
    ]

    /// The longest delay that a receiver can ask for with `Retry-After`.
    static let longestRequested: Duration = .hours(24)

    /// The delay after a number of failed attempts; nil: give the event up.
    ///
    /// Up to a tenth is added or taken away at random, so that events that failed together are not retried together.
    ///
    /// - Parameter requested: the delay that the receiver asked for; a shorter one has no effect.
    static func delay(
        afterFailures failures: Int, requested: Duration? = nil,
        random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) -> Duration? {
        guard failures >= 1, failures <= delays.count else { return nil }
        let planned = delays[failures - 1] * (1 + random(-0.1...0.1))
        return max(planned, min(requested ?? .zero, longestRequested))
    }

    /// The delay of a `Retry-After` header: seconds, or an HTTP date (RFC 9110, 10.2.3); nil if it is neither.
    static func requestedDelay(_ header: String, now: Date) -> Duration? {
        if let seconds = Int64(header), seconds >= 0 {
            return .seconds(min(seconds, longestRequested.components.seconds))
        }
        guard let date = HTTPDate.parse(header) else { return nil }
        return .seconds(max(0, min(date.timeIntervalSince(now), longestRequested / .seconds(1))))
    }
}

extension Duration {
    fileprivate static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
}
