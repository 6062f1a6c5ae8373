extension ContinuousClock.Instant {
    /// Where a time begins that only a test moves on.
    package static var someMoment: ContinuousClock.Instant { .now }
}

/// Waits until the task is cancelled.
package func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}
