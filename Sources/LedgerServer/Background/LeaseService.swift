import Ledger
import Logging
import ServiceLifecycle

/// Ends the leases of processes that no longer run, so that their work goes on at once.
struct LeaseService: Service {
    let ledger: Ledger
    let logger: Logger

    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(1), longestPause: .seconds(15), failure: "can't look for leases of ended processes now",
            logger: logger)
        await repetition.run {
            let ended = try await ledger.endLeasesOfEndedProcesses()
            if ended > 0 { logger.info("took over work of a process that ended", metadata: ["items": "\(ended)"]) }
            return .afterPause
        }
    }
}
