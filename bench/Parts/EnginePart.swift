import LedgerTestSupport

/// Purchases, spends and holds per second of the engine without HTTP, by batch size.
struct EnginePart: ComparedPart {
    static let name = "engine"

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        // Spends and holds need users with coins, purchases do not: each has books of its own.
        try await TestLedger.withDatabase { rich in
            try await Engine.fortunes(of: scale.users, in: rich)
            try await TestLedger.withDatabase { books in
                let purchases = Figures.Writers.allCases.flatMap { writers in
                    scale.batches.map { contender(.purchases, writers, $0, in: books, scale) }
                }
                let others = [Engine.Workload.spends, .holds].flatMap { act in
                    scale.batches.map { contender(act, .one, $0, in: rich, scale) }
                }
                try await body(purchases + others)
            }
        }
    }

    private func contender(
        _ act: Engine.Workload, _ writers: Figures.Writers, _ batch: Int, in books: TestLedger, _ scale: Scale
    ) -> Contender {
        let figure = Figures.engine(act.rawValue, writers, batch)
        return Contender(part: Self.name, figures: [figure]) { number in
            let (rate, problems) = try await Conservation.observing(books) {
                try await Engine.measure(
                    act, in: books, .init(writers: writers == .one ? 1 : nil, batch: batch), users: scale.users,
                    tag: "\(number)-\(writers == .one ? 1 : 0)-\(batch)", scale.slice)
            }
            return [Sample(figure: figure, value: rate, unit: .perSecond, problems: problems)]
        }
    }
}
