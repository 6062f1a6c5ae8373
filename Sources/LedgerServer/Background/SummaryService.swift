import Ledger
import Logging
import ServiceLifecycle

/// Keeps the summaries of the block-range indexes up to date, by which exports, statements and reconciliations skip most of
/// the journal.
///
/// Every process does this. Two at once do no harm: the second finds nothing to do.
struct SummaryService: Service {
    let ledger: Ledger
    let logger: Logger

    /// The time between two runs: what was written meanwhile is read as a whole by each look-up.
    private static let interval: Duration = .seconds(60)

    func run() async throws {
        let repetition = Repetition(
            pause: Self.interval, failure: "can't summarise new blocks of the journal now", logger: logger)
        await repetition.run {
            _ = try await ledger.journal.summariseBlocks()
            return .afterPause
        }
    }
}
