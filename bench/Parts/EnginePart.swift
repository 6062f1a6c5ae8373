import LedgerTestSupport

/// Purchases, spends and holds per second of the engine without HTTP, by batch size.
struct EnginePart: Part {
    static let name = "engine"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        for writers in Figures.Writers.allCases {
            for batch in scale.batches { try await measure(.purchases, writers, batch, scale, report) }
        }
        for act in [Engine.Workload.spends, .holds] {
            for batch in scale.batches { try await measure(act, .one, batch, scale, report) }
        }
    }

    private func measure(
        _ act: Engine.Workload, _ writers: Figures.Writers, _ batch: Int, _ scale: Scale, _ report: BenchReport
    ) async throws {
        try await TestLedger.withDatabase { books in
            if act != .purchases { try await Engine.fortunes(of: scale.users, in: books) }
            let (rate, problems) = try await Conservation.observing(books) {
                try await Engine.measure(
                    act, in: books, .init(writers: writers == .one ? 1 : nil, batch: batch), users: scale.users,
                    tag: "bench", scale)
            }
            report.record(Figures.engine(act.rawValue, writers, batch), rate, .perSecond, problems: problems)
        }
    }
}
