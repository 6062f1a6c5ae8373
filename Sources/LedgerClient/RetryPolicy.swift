public import Foundation

/// How often and how long a call is tried again, when that may help.
///
/// The service says of each refusal whether it may pass and after how long (`Retry-After`); where it says nothing, and
/// where there is no answer at all, the pauses double and are spread by chance, so that clients don't come back all at
/// once.
public struct RetryPolicy: Hashable, Sendable {
    /// How often a call is tried at most, the first time included.
    public var attempts: Int
    /// How many seconds may pass since the first attempt before the last one begins.
    public var patience: TimeInterval
    /// The longest first pause, in seconds.
    public var firstPause: TimeInterval

    /// Tries at most so often and so long.
    public init(attempts: Int = 5, patience: TimeInterval = 30, firstPause: TimeInterval = 0.25) {
        self.attempts = attempts
        self.patience = patience
        self.firstPause = firstPause
    }

    /// Tries once.
    public static let never = RetryPolicy(attempts: 1, patience: 0)

    /// How long to wait after an attempt, in seconds; nil: it was the last.
    ///
    /// - Parameters:
    ///   - made: how many attempts were made.
    ///   - elapsed: seconds since the first of them began.
    ///   - asked: how long the service asked to wait, if it did.
    func pause(after made: Int, elapsed: TimeInterval, asked: TimeInterval?) -> TimeInterval? {
        guard made < attempts else { return nil }
        let longest = min(firstPause * pow(2, Double(made - 1)), 8)
        let pause = max(TimeInterval.random(in: longest / 2...longest), asked ?? 0)
        return elapsed + pause <= patience ? pause : nil
    }
}
