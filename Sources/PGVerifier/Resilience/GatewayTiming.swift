/// The time and chance that waiting for a gateway depends on; tests turn them.
public struct GatewayTiming: Sendable {
    /// The moment it is.
    public var now: @Sendable () -> ContinuousClock.Instant

    /// Waits; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// A number in 0 ..< 1.
    public var random: @Sendable () -> Double

    /// States where time and chance come from.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// The machine's own.
    public static let system = GatewayTiming()
}
