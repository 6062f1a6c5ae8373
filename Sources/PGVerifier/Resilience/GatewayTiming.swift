/// The clock and random numbers of gateway calls; tests replace them.
package struct GatewayTiming: Sendable {
    /// The current time.
    package var now: @Sendable () -> ContinuousClock.Instant

    /// Waits; throws if the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// A number in 0 ..< 1.
    package var random: @Sendable () -> Double

    /// A source of time and random numbers.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// The system's clock and random numbers.
    package static let system = GatewayTiming()
}

/// Runs `work` for at most `limit`, then cancels it and reports a timeout.
///
/// `work` must end soon after its cancellation; everything in this target does.
func within<Answer: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Result<Answer, GatewayError>
) async throws(GatewayError) -> Answer {
    let result = await withTaskGroup(of: Result<Answer, GatewayError>?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        let first = await group.next()
        group.cancelAll()
        return first ?? nil
    }
    if let result { return try result.get() }
    if Task.isCancelled { throw GatewayError(.cancelled, message: "the task was cancelled") }
    throw GatewayError(.timeout, message: "no response within \(limit)")
}
