import LedgerTestSupport

/// All rates in books with many purchases.
///
/// Each size has one database, in which all rounds run.
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
            let (perSecond, problems) = try await Conservation.observing(service.books) {
                try await Engine.measure(
                    act, in: service.books, .init(writers: writers, batch: batch), users: service.users,
                    tag: "\(round)-\(batch)", scale)
            }
            report.record(Figures.growth(size, rate), perSecond, .perSecond, problems: problems)
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
