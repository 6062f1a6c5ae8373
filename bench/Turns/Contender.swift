/// What is measured in slices of seconds, in turns with what it is compared with.
struct Contender: Sendable {
    /// The name of its part.
    let part: String
    /// The names of the figures that a slice measures.
    let figures: [String]
    /// Figures that it takes turns with although no target compares them.
    var beside: [String] = []
    /// Measures one slice.
    ///
    /// The number differs from slice to slice of the run, for names of what the slice makes.
    let slice: @Sendable (_ number: Int) async throws -> [Sample]

    /// Whether both take turns: they measure the same figure, or a target compares them.
    func isCompared(with other: Contender, by targets: [Target]) -> Bool {
        let (own, others) = (Set(figures), Set(other.figures))
        return !own.isDisjoint(with: others) || !own.isDisjoint(with: other.beside) || !others.isDisjoint(with: beside)
            || targets.contains { target in
                guard let base = target.base else { return false }
                return own.contains(target.figure) && others.contains(base)
                    || others.contains(target.figure) && own.contains(base)
            }
    }
}

/// A figure in one slice.
struct Sample: Sendable {
    let figure: String
    let value: Double
    let unit: BenchReport.Unit
    /// Why the value is void; empty: it is not.
    var problems: [String] = []
    var note = ""

    /// Whether it is better than another sample of its figure: a higher rate, or less time or memory.
    func isBetter(than other: Sample) -> Bool {
        unit == .perSecond ? value > other.value : value < other.value
    }
}
