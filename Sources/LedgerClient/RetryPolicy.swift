public import Foundation

/// The limits of retries.
///
/// The service tells for each refusal whether a retry can help, and when (`Retry-After`). Otherwise, and without a
/// response, the pauses double with full jitter, so that clients don't retry at the same time.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts, including the first.
    public var attempts: Int
    /// The number of seconds after the first attempt in which further ones can start.
    public var patience: TimeInterval
    /// The maximum first pause, in seconds.
    public var firstPause: TimeInterval

    /// Creates a policy.
    public init(attempts: Int = 5, patience: TimeInterval = 30, firstPause: TimeInterval = 0.25) {
        self.attempts = attempts
        self.patience = patience
        self.firstPause = firstPause
    }

    /// One attempt, no retries.
    public static let never = RetryPolicy(attempts: 1, patience: 0)

    /// The pause after an attempt, in seconds; nil after the last.
    ///
    /// - Parameters:
    ///   - made: the number of attempts so far.
    ///   - elapsed: the number of seconds since the first attempt.
    ///   - asked: the service's `Retry-After`, if any.
    func pause(after made: Int, elapsed: TimeInterval, asked: TimeInterval?) -> TimeInterval? {
        guard made < attempts else { return nil }
        let longest = min(firstPause * pow(2, Double(made - 1)), 8)
        let pause = max(TimeInterval.random(in: longest / 2...longest), asked ?? 0)
        return elapsed + pause <= patience ? pause : nil
    }
}
