import Foundation
import Synchronization

/// The measurements of all rounds.
final class BenchReport: Sendable {
    /// A measured value, and why it is void if it is.
    struct Measurement: Sendable {
        let round: Int
        let value: Double
        /// Why the value is void: an acknowledged act is not in the books, or a request failed.
        ///
        /// Nil: it is valid.
        let problem: String?
    }

    /// A figure with a name such as `engine/purchases/1 writer/batches of 1024`.
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
        case blocks
        case ratio = ""
    }

    private let state = Mutex<(figures: [Figure], failures: [String], round: Int)>(([], [], 1))

    var figures: [Figure] { state.withLock { $0.figures } }
    /// Parts that failed, with the errors.
    var failures: [String] { state.withLock { $0.failures } }
    /// Whether a figure is void or a part failed.
    var isVoid: Bool { !failures.isEmpty || figures.contains { $0.problem != nil } }

    /// Starts a round.
    ///
    /// Later measurements belong to it.
    func begin(round: Int) { state.withLock { $0.round = round } }

    /// Records a measurement and shows it.
    ///
    /// - Parameters:
    ///   - problems: the reasons why the value is void.
    ///   - note: a text to show with the value.
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

    func result(of target: Target) -> TargetResult {
        let figures = figures
        func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }
        guard let measured = figure(target.figure) else {
            return TargetResult(target: target, missing: target.figure)
        }
        let base = target.base.map(figure)
        if case .some(.none) = base { return TargetResult(target: target, missing: target.base) }
        if let problem = measured.problem ?? base??.problem { return TargetResult(target: target, problem: problem) }
        let values = measured.measurements.compactMap { measurement -> Double? in
            guard let base = base ?? nil else { return measurement.value }
            let other = base.measurements.first { $0.round == measurement.round }
            return other.map { measurement.value / $0.value }
        }
        guard values.allSatisfy(\.isFinite) else {
            return TargetResult(target: target, problem: "no number, such as a ratio to zero")
        }
        return TargetResult(target: target, spread: Spread(values))
    }

    /// Whether the run failed: a part failed, a figure is void, or the parts that the caller named miss a target.
    ///
    /// A run of all parts shows what misses, and a quick run measures no speed, so their misses fail nothing.
    func isFailed(_ targets: [Target], named parts: [String], isQuick: Bool) -> Bool {
        if isVoid { return true }
        return targets.contains { target in
            guard !isQuick, parts.contains(target.part) else { return false }
            let result = result(of: target)
            return result.isMissed || result.problem != nil
        }
    }
}

/// The median, lowest and highest of some values.
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
    /// Three significant digits, or all digits before the point.
    var text: String {
        let digits = abs(self) >= 100 ? 0 : abs(self) >= 10 ? 1 : abs(self) >= 1 ? 2 : 3
        return String(format: "%.\(digits)f", self)
    }
}

/// Prints a line and flushes the output.
func show(_ line: String) {
    print(line)
    fflush(nil)
}
