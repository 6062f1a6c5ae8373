import Metrics
import Postgres

/// The metrics of the writers.
struct LedgerMetrics: Sendable {
    private let batchSize = Recorder(label: "ledgerd_posting_batch_size")
    private let commitTime = Timer(label: "ledgerd_commit_seconds")
    private let separations = Counter(label: "ledgerd_posting_batches_separated_total")
    private let divisions = Counter(label: "ledgerd_posting_batches_divided_total")
    private let turnover = TurnoverCounters()

    /// Times a commit and counts its batch.
    func timingCommit<Output: Sendable>(
        of acts: Int, _ commit: () async throws(PostgresError) -> Output
    ) async throws(PostgresError) -> Output {
        let start = ContinuousClock.now
        let output = try await commit()
        commitTime.record(duration: ContinuousClock.now - start)
        batchSize.record(acts)
        return output
    }

    /// Counts the coins and won of entries that are committed.
    func count(_ turnover: Turnover) { self.turnover.count(turnover) }

    /// Counts a failed attempt by the database's error.
    func failed(_ error: PostgresError) {
        let cause = error.sqlState?.name ?? error.code.description
        Counter(label: "ledgerd_posting_attempts_failed_total", dimensions: [("cause", cause)]).increment()
    }

    /// Counts a batch of purchases that had to be planned, by the database's error.
    func planned(_ error: PostgresError) {
        let cause = error.sqlState?.name ?? error.code.description
        Counter(label: "ledgerd_purchase_batches_planned_total", dimensions: [("cause", cause)]).increment()
    }

    /// Counts a batch that was done as two smaller ones.
    func divided() {
        divisions.increment()
    }

    /// Counts a batch whose acts were tried one by one.
    func separated() {
        separations.increment()
    }
}
