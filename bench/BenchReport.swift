import Foundation
import Synchronization

/// What was measured, round by round.
final class BenchReport: Sendable {
    /// One measurement: what it came to, or why it is void.
    struct Measurement: Sendable {
        let round: Int
        let value: Double
        /// Why the value proves nothing: what was acknowledged is not in the books, or a request was refused.
        let problem: String?
    }

    /// What is measured, under a name such as `engine/purchases/1 writer/1024`.
    struct Figure: Sendable {
        let name: String
        let unit: Unit
        var measurements: [Measurement] = []

        var spread: Spread? { Spread(measurements.filter { $0.problem == nil }.map(\.value)) }
        var problem: String? { measurements.lazy.compactMap(\.problem).first }
    }

    enum Unit: String, Sendable {
        case perSecond = "/s"
        case milliseconds = "ms"
        case seconds = "s"
        case mebibytes = "MiB"
        case ratio = ""
    }

    private let state = Mutex<(figures: [Figure], failures: [String], round: Int)>(([], [], 1))

    var figures: [Figure] { state.withLock { $0.figures } }
    /// Parts that did not come to their end, and why.
    var failures: [String] { state.withLock { $0.failures } }
    /// Whether a figure is void or a part failed.
    var isVoid: Bool { !failures.isEmpty || figures.contains { $0.problem != nil } }

    /// The round that further measurements belong to.
    func begin(round: Int) { state.withLock { $0.round = round } }

    /// Takes a measurement down and shows it.
    ///
    /// - Parameters:
    ///   - problems: what makes it void.
    ///   - note: what else is to be shown.
    func record(_ name: String, _ value: Double, _ unit: Unit, problems: [String] = [], note: String = "") {
        let problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
        state.withLock { state in
            let index = state.figures.firstIndex { $0.name == name } ?? state.figures.count
            if index == state.figures.count { state.figures.append(Figure(name: name, unit: unit)) }
            state.figures[index].measurements.append(Measurement(round: state.round, value: value, problem: problem))
        }
        let end = note.isEmpty ? "" : "   " + note
        show("  \(name): \(value.text) \(unit.rawValue)\(end)\(problem.map { "   VOID: \($0)" } ?? "")")
    }

    func fail(_ part: String, _ error: any Error) {
        let told = String(reflecting: error)
        state.withLock { $0.failures.append("\(part): \(told)") }
        show("  \(part) FAILED: \(told)")
    }

    /// What the target comes to.
    func result(of target: Target) -> TargetResult {
        let figures = figures
        func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }
        guard let measured = figure(target.figure) else { return TargetResult(target: target) }
        let base = target.base.map(figure)
        if case .some(.none) = base { return TargetResult(target: target) }
        if let problem = measured.problem ?? base??.problem { return TargetResult(target: target, problem: problem) }
        let values = measured.measurements.compactMap { measurement -> Double? in
            guard let base = base ?? nil else { return measurement.value }
            let other = base.measurements.first { $0.round == measurement.round }
            return other.map { measurement.value / $0.value }
        }
        return TargetResult(target: target, spread: Spread(values))
    }
}

/// The middle and the ends of some values.
struct Spread: Sendable, Equatable {
    let median: Double
    let low: Double
    let high: Double

    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let low = sorted.first, let high = sorted.last else { return nil }
        let middle = sorted.count / 2
        self.low = low
        self.high = high
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

extension Double {
    /// As a person reads it: three digits, or all before the point.
    var text: String {
        let digits = abs(self) >= 100 ? 0 : abs(self) >= 10 ? 1 : abs(self) >= 1 ? 2 : 3
        return String(format: "%.\(digits)f", self)
    }
}

/// Shows a line at once, also where the output is a file.
func show(_ line: String) {
    print(line)
    fflush(nil)
}
