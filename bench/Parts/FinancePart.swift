import LedgerTestSupport

/// What reversals, shares of providers and VAT cost, compared with spends and captures without them.
///
/// All acts of a round are in one database, the same number of each, one kind after the other.
struct FinancePart: Part {
    static let name = "finance"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await TestLedger.withDatabase { books in
            let measurement = Measurement(books: books, scale: scale, report: report)
            let taxed = Engine.Shape(booksVAT: true)
            for shape in [Engine.Shape(), taxed] { try await Engine.fortunes(of: scale.users, in: books, shape) }
            let spends = try await measurement.rate(of: .spends) { engine, number in try await engine.spend(number) }
            _ = try await measurement.rate(of: .spendsWithVAT, taxed) { engine, number in
                try await engine.spend(number)
            }
            _ = try await measurement.rate(of: .reversals) { engine, number in
                try await engine.reverse(spends[number], number)
            }
            for act in [Act.captures, .capturesWithTerms] {
                let provider = try await Engine.provider(withTerms: act == .capturesWithTerms, in: books)
                let holds = try await measurement.perform("holds for \(act.rawValue)") { engine, number in
                    try await engine.hold(number)
                }.made
                _ = try await measurement.rate(of: act) { engine, number in
                    try await engine.capture(holds[number], for: provider, number)
                }
            }
        }
    }

    /// What is measured.
    enum Act: String {
        case spends
        case spendsWithVAT = "spends with VAT"
        case reversals = "reversals of spends"
        case captures = "captures for a provider"
        case capturesWithTerms = "captures for a provider with terms"
    }
}

/// The measurements of a round.
private struct Measurement {
    let books: TestLedger
    let scale: Scale
    let report: BenchReport

    /// Performs acts, and records their rate.
    ///
    /// - Returns: what the acts made.
    func rate<Made: Sendable>(
        of act: FinancePart.Act, _ shape: Engine.Shape = Engine.Shape(),
        _ perform: @escaping @Sendable (Engine, Int) async throws -> (Made, Acknowledged)
    ) async throws -> [Made] {
        let (done, problems) = try await Conservation.observing(books) {
            let done = try await self.perform(act.rawValue, shape, perform)
            return (done, done.acknowledged)
        }
        report.record(Figures.finance(act), done.rate, .perSecond, problems: problems)
        return done.made
    }

    /// Performs acts, whose keys begin with a tag.
    func perform<Made: Sendable>(
        _ tag: String, _ shape: Engine.Shape = Engine.Shape(),
        _ perform: @escaping @Sendable (Engine, Int) async throws -> (Made, Acknowledged)
    ) async throws -> (made: [Made], rate: Double, acknowledged: Acknowledged) {
        try await Engine.perform(scale.prepared, in: books, shape, users: scale.users, tag: tag, perform)
    }
}
