package import Timing

/// The time and the random numbers of gateway calls; tests replace them.
package struct GatewayTiming: Sendable {
    /// What deadlines go by.
    package var time: Time

    /// Waits before a call is repeated or may be made; throws if the task is cancelled.
    ///
    /// By default it sleeps; a test can go on at once.
    package var pause: @Sendable (Duration) async throws -> Void

    /// A number in 0 ..< 1.
    package var random: @Sendable () -> Double

    /// A source of time and random numbers.
    package init(
        time: Time = .current, pause: (@Sendable (Duration) async throws -> Void)? = nil,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.time = time
        self.pause = pause ?? { try await time.sleep(for: $0) }
        self.random = random
    }
}

/// Runs `work` for at most `limit`, then cancels it and reports a timeout.
///
/// `work` must end soon after its cancellation; everything in this target does.
func within<Answer: Sendable>(
    _ limit: Duration, by time: Time, _ work: @escaping @Sendable () async -> Result<Answer, GatewayError>
) async throws(GatewayError) -> Answer {
    let deadline = time.instant + limit
    let result = await withTaskGroup(of: Result<Answer, GatewayError>?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await time.sleep(until: deadline)
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
