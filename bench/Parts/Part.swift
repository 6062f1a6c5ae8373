/// Something that is measured by itself.
protocol Part: Sendable {
    /// How it is called on the command line.
    static var name: String { get }

    init()

    /// Measures it once.
    func measure(_ scale: Scale, _ report: BenchReport) async throws
}

/// The parts, in the order in which they are measured.
///
/// What a target divides by each other stands close together, for a machine has better and worse minutes.
let allParts: [any Part.Type] = [
    CopyPart.self, EnginePart.self, UsualPart.self, ReceiptsPart.self, ReadsPart.self, MixedPart.self, MemoryPart.self,
    StartPart.self, GrowthPart.self, ExportPart.self,
]
