/// A part of the bench that can be measured alone.
protocol Part: Sendable {
    /// The name on the command line; the names of its figures begin with it.
    static var name: String { get }

    init()
}

/// A part that measures its figures one after the other.
protocol MeasuredPart: Part {
    /// Measures one round.
    func measure(_ scale: Scale, _ report: BenchReport) async throws
}

/// A part whose figures are compared with those of others, in turns.
protocol ComparedPart: Part {
    /// Makes what its contenders need, lends them, and removes it.
    ///
    /// - Parameter scale: of a whole round; ``Scale/slice`` is that of a slice.
    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws
}

/// The parts, in the order in which they are measured.
let allParts: [any Part.Type] = [
    CopyPart.self, EnginePart.self, FinancePart.self, UsualPart.self, PeersPart.self, ReceiptsPart.self,
    ReadsPart.self, MixedPart.self, MemoryPart.self, EventsPart.self, EndpointsPart.self, StandbyPart.self,
    ConsolePart.self, StartPart.self, BigAccountPart.self, CampaignPart.self, GrowthPart.self, ExportPart.self,
    MigrationsPart.self,
]
