package import FoundationEssentials
import ServiceLifecycle

/// Delivers what is due, several at once, as long as the sandbox runs.
package struct DeliveryLoop: Sendable {
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    private static let maxAtOnce = 8
    /// The clock can be advanced at any time, so sleeps are short.
    private static let longestSleep = 0.1

    package init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // What was not sent before a restart is sent after it.
        wake.yield()
    }

    /// Looks for what is due, after something was added or the clock was advanced.
    package func wakeUp() { wake.yield() }

    /// Runs until cancelled or shut down gracefully.
    ///
    /// `due` gives the next deliveries, each once, and the time of a later one.
    package func run<Delivery: Sendable>(
        clock: SandboxClock,
        due: @Sendable (_ now: Date, _ limit: Int) async -> (due: [Delivery], nextAt: Date?),
        deliver: @escaping @Sendable (Delivery) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var active = 0
            for await _ in wakes.cancelOnGracefulShutdown() {
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    let (due, nextAt) = await due(clock.now, Self.maxAtOnce)
                    for delivery in due {
                        if active == Self.maxAtOnce {
                            await group.next()
                            active -= 1
                        }
                        active += 1
                        group.addTask {
                            await deliver(delivery)
                            wake.yield()
                        }
                    }
                    if due.isEmpty {
                        guard let nextAt else { break }
                        let left = min(nextAt.timeIntervalSince(clock.now), Self.longestSleep)
                        try? await Task.sleep(for: .seconds(max(left, 0.001)))
                    }
                }
            }
            group.cancelAll()
        }
    }
}
