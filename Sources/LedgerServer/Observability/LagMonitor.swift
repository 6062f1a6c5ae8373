import Metrics
import NIOPosix
import ServiceLifecycle

/// Measures, each second, how long work waits for its turn: at each event loop, and in the pool that runs tasks.
struct LagMonitor: Service {
    private let eventLoops = Metrics.Timer(label: "ledgerd_event_loop_lag_seconds")
    private let tasks = Metrics.Timer(label: "ledgerd_task_lag_seconds")

    func run() async throws {
        while !Repetition.isOver {
            await measure()
            await cancelWhenGracefulShutdown { try? await Task.sleep(for: .seconds(1)) }
        }
    }

    private func measure() async {
        let start = ContinuousClock.now
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            // Not awaited: a loop that hangs must not hold up the measurement of the others.
            loop.execute { [eventLoops] in eventLoops.record(duration: .now - start) }
        }
        await withTaskGroup(of: Void.self) { group in
            let start = ContinuousClock.now
            group.addTask { [tasks] in tasks.record(duration: .now - start) }
        }
    }
}
