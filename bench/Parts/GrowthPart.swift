import LedgerTestSupport

/// All rates in books with many purchases.
///
/// Each size has one database, in which all rounds run. The blocks that an act reads tell how much of what it needs is not in
/// memory: a count, which needs no quiet machine.
struct GrowthPart: MeasuredPart {
    static let name = "growth"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        for size in scale.sizes {
            show("  filling a ledger with \(size) purchases")
            let start = ContinuousClock.now
            try await ServiceUnderLoad.with(scale, purchases: size) { service in
                let filled = ContinuousClock.now
                try await service.waitForChain()
                show("  filled in \(start.secondsUntil(filled)) s, chained in \(filled.secondsUntil(.now)) s")
                for round in 1...scale.rounds {
                    report.begin(round: round)
                    try await measure(service, size, "\(round)", scale, report)
                }
            }
        }
    }

    private func measure(
        _ service: ServiceUnderLoad, _ size: Int, _ round: String, _ scale: Scale, _ report: BenchReport
    ) async throws {
        for (act, writers, batch) in [(Engine.Workload.purchases, 1, 1), (.purchases, nil, 1024), (.spends, nil, 1024)]
        {
            let rate = "\(act.rawValue), batches of \(batch)"
            let before = try await service.books.number(Self.blocksRead)
            let (measured, problems) = try await Conservation.observing(service.books) {
                let (perSecond, acknowledged) = try await Engine.measure(
                    act, in: service.books, .init(writers: writers, batch: batch), users: service.users,
                    tag: "\(round)-\(batch)", scale)
                // Its sessions have ended, so the server knows what they read.
                let blocks = try await service.books.number(Self.blocksRead) - before
                let acts = acknowledged.purchases.count + acknowledged.keys.count
                return ((perSecond: perSecond, blocks: Double(blocks) / Double(max(acts, 1))), acknowledged)
            }
            report.record(Figures.growth(size, rate), measured.perSecond, .perSecond, problems: problems)
            report.record(Figures.growth(size, "\(rate): blocks read an act"), measured.blocks, .blocks)
        }
        for (name, path, asUsers) in ServiceUnderLoad.reads {
            let result = try await service.read(path, asUsers: asUsers, clients: scale.readers, scale)
            report.record(
                Figures.growth(size, name), result.rate, .perSecond, problems: result.problems, note: result.note)
        }
        let (result, _, problems) = try await service.presentReceipts(
            clients: 128, delay: 0, named: "grown-\(round)", scale)
        report.record(
            Figures.growth(size, "receipts"), result.rate, .perSecond, problems: problems, note: result.note)
    }
}

extension GrowthPart {
    /// Blocks that were not in `shared_buffers`, since the database was made.
    private static let blocksRead = "SELECT blks_read FROM pg_stat_database WHERE datname = current_database()"
}

extension ServiceUnderLoad {
    /// Waits until the chain has all entries, because adding them uses the processor.
    fileprivate func waitForChain() async throws {
        let deadline = ContinuousClock.now + .seconds(1800)
        while try await books.number(
            "SELECT (SELECT count(*) FROM journal_entry) - coalesce(max(last_position), 0) FROM chain_link") > 0
        {
            guard .now < deadline else { throw Program.Failed(description: "the chain does not follow the journal") }
            try await Task.sleep(for: .seconds(1))
        }
    }
}

extension ContinuousClock.Instant {
    fileprivate func secondsUntil(_ other: Self) -> String { ((other - self) / .seconds(1)).text }
}
