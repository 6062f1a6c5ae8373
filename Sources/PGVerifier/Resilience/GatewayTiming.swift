/// The clock and random numbers of gateway calls; tests replace them.
public struct GatewayTiming: Sendable {
    /// The current time.
    public var now: @Sendable () -> ContinuousClock.Instant

    /// Waits; throws if the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// A number in 0 ..< 1.
    public var random: @Sendable () -> Double

    /// A source of time and random numbers.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// The system's clock and random numbers.
    public static let system = GatewayTiming()
}
