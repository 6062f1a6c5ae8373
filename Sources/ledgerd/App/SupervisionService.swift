import Logging
import NIOPosix
import ServiceLifecycle

/// Gives the service manager its signs of life, and says when the process stops.
///
/// A sign is given only after every thread that serves requests, and whoever writes the ledger, have taken a turn: a
/// process in which one of them hangs is ended and started again by the manager. The database is not asked: while it is
/// away, a new process would do no better.
struct SupervisionService: Service {
    let manager: ServiceManager
    /// How long stopping may take.
    let shutdownDeadline: Duration
    /// Returns when whoever writes the ledger has taken a turn.
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
            if !manager.notify(.alive) { logger.warning("the service manager took no sign of life") }
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
