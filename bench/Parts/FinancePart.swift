import Ledger
import LedgerTestSupport

/// What reversals, shares of providers and VAT cost, compared with spends and captures without them.
///
/// All acts are in one database, the same number of each in each slice.
struct FinancePart: ComparedPart {
    static let name = "finance"

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        try await TestLedger.withDatabase { books in
            let taxed = Engine.Shape(booksVAT: true)
            for shape in [Engine.Shape(), taxed] { try await Engine.fortunes(of: scale.users, in: books, shape) }
            let bench = FinanceBench(books: books, scale: scale)
            var contenders = [bench.spends(.spends), bench.spends(.spendsWithVAT, taxed), bench.reversals]
            for act in [Act.captures, .capturesWithTerms] {
                let provider = try await Engine.provider(withTerms: act == .capturesWithTerms, in: books)
                contenders.append(bench.captures(act, for: provider))
            }
            try await body(contenders)
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

/// The contenders, with the database that they share.
///
/// What is taken back or captured is made before, in the same slice, and not measured.
private struct FinanceBench: Sendable {
    let books: TestLedger
    let scale: Scale

    func spends(_ act: FinancePart.Act, _ shape: Engine.Shape = Engine.Shape()) -> Contender {
        contender(act) { number in
            try await rate(of: act, number, shape) { engine, number in try await engine.spend(number) }
        }
    }

    var reversals: Contender {
        contender(.reversals) { number in
            let spends = try await perform("spends to reverse \(number)") { engine, number in
                try await engine.spend(number)
            }.made
            return try await rate(of: .reversals, number) { engine, number in
                try await engine.reverse(spends[number], number)
            }
        }
    }

    func captures(_ act: FinancePart.Act, for provider: UserID) -> Contender {
        contender(act) { number in
            let holds = try await perform("holds for \(act.rawValue) \(number)") { engine, number in
                try await engine.hold(number)
            }.made
            return try await rate(of: act, number) { engine, number in
                try await engine.capture(holds[number], for: provider, number)
            }
        }
    }

    private func contender(
        _ act: FinancePart.Act, _ slice: @escaping @Sendable (Int) async throws -> Sample
    ) -> Contender {
        Contender(part: FinancePart.name, figures: [Figures.finance(act)]) { [try await slice($0)] }
    }

    /// Performs the acts of a slice.
    private func rate<Made: Sendable>(
        of act: FinancePart.Act, _ number: Int, _ shape: Engine.Shape = Engine.Shape(),
        _ perform: @escaping @Sendable (Engine, Int) async throws -> (Made, Acknowledged)
    ) async throws -> Sample {
        let (rate, problems) = try await Conservation.observing(books) {
            let done = try await self.perform("\(act.rawValue) \(number)", shape, perform)
            return (done.rate, done.acknowledged)
        }
        return Sample(figure: Figures.finance(act), value: rate, unit: .perSecond, problems: problems)
    }

    /// Performs acts, whose keys begin with a tag.
    private func perform<Made: Sendable>(
        _ tag: String, _ shape: Engine.Shape = Engine.Shape(),
        _ perform: @escaping @Sendable (Engine, Int) async throws -> (Made, Acknowledged)
    ) async throws -> (made: [Made], rate: Double, acknowledged: Acknowledged) {
        try await Engine.perform(scale.prepared, in: books, shape, users: scale.users, tag: tag, perform)
    }
}
