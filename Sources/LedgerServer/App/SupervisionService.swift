import Logging
import NIOPosix
import ServiceLifecycle

/// Sends watchdog messages to the service manager, and tells it when the process stops.
///
/// A message is sent only after each request thread and the ledger's writer have run a task. If one of them hangs, the
/// service manager restarts the process. The database is not checked, because a restart does not help while it is down.
struct SupervisionService: Service {
    let manager: ServiceManager
    /// The maximum time of a shutdown.
    let shutdownDeadline: Duration
    /// Returns when the ledger's writer has run a task.
    let writerTurn: @Sendable () async -> Void
    let logger: Logger

    func run() async throws {
        await withGracefulShutdownHandler {
            await giveSigns()
        } onGracefulShutdown: {
            manager.notify(.stopping, .status("stopping"), .extendTimeout(shutdownDeadline + .seconds(10)))
        }
    }

    private func giveSigns() async {
        guard let period = manager.watchdogPeriod else {
            try? await gracefulShutdown()
            return
        }
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
            await everyoneTakesATurn()
            if !manager.notify(.alive) { logger.warning("the service manager did not accept the watchdog message") }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: period / 3) }
        }
    }

    private func everyoneTakesATurn() async {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            try? await loop.submit {}.get()
        }
        await writerTurn()
    }
}
