/// A part of the bench that can be measured alone.
protocol Part: Sendable {
    /// The name on the command line.
    static var name: String { get }

    init()

    /// Measures one round.
    func measure(_ scale: Scale, _ report: BenchReport) async throws
}

/// The parts, in the order in which they are measured.
///
/// Parts whose figures a target compares are close together, because the speed of a machine varies over time.
let allParts: [any Part.Type] = [
    CopyPart.self, EnginePart.self, FinancePart.self, UsualPart.self, ReceiptsPart.self, ReadsPart.self,
    MixedPart.self, MemoryPart.self, EventsPart.self, EndpointsPart.self, StandbyPart.self, ConsolePart.self,
    StartPart.self, GrowthPart.self, ExportPart.self, MigrationsPart.self,
]
