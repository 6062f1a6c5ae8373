/// The time and chance that waiting for a gateway depends on; tests turn them.
package struct GatewayTiming: Sendable {
    /// The moment it is.
    package var now: @Sendable () -> ContinuousClock.Instant

    /// Waits; throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// A number in 0 ..< 1.
    package var random: @Sendable () -> Double

    /// States where time and chance come from.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// The machine's own.
    package static let system = GatewayTiming()
}

/// Runs `work` for at most `limit`, then cancels it and reports a timeout.
///
/// `work` must end soon after its cancellation; everything this target waits for does.
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
    throw GatewayError(.timeout, message: "no answer within \(limit)")
}
