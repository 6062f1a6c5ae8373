import Foundation

extension BenchReport {
    /// The tables of figures and targets for the end of the run.
    func tables(_ targets: [Target]) -> String {
        let figureRows = figures.map { figure in
            [
                figure.name, figure.spread.map { "\($0.median.text) \(figure.unit.rawValue)" } ?? "–",
                figure.spread.map(\.range) ?? "–", figure.problem.map { "VOID: \($0)" } ?? "",
            ]
        }
        let results = targets.map(result)
        let targetRows = results.map { result in
            [
                result.target.what, result.spread.map { "\($0.median.text) \(result.target.unit.rawValue)" } ?? "–",
                result.spread.map(\.range) ?? "–", result.target.bound.text + " " + result.target.unit.rawValue,
                result.verdict,
            ]
        }
        let failed = failures.map { "FAILED: \($0)\n" }.joined()
        return Self.table(["figure", "median", "range", ""], figureRows) + "\n"
            + Self.table(["target", "median", "range", "required", ""], targetRows) + failed
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let widths = head.indices.dropLast().map { column in
            ([head] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([head] + rows).map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let line = (cells + [row.last ?? ""]).joined(separator: "   ")
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    /// The figures and targets as JSON.
    func json(_ scale: Scale, _ targets: [Target]) throws -> Data {
        let document = Document(
            rounds: scale.rounds, seconds: scale.seconds, settings: scale.settings,
            processors: scale.cores,
            figures: figures.map { figure in
                Document.Figure(
                    name: figure.name, unit: figure.unit.rawValue, values: figure.measurements.map(\.value),
                    median: figure.spread?.median, problem: figure.problem)
            },
            targets: targets.map(result).map { result in
                Document.Target(
                    what: result.target.what, median: result.spread?.median, low: result.spread?.low,
                    high: result.spread?.high, wanted: result.target.bound.text, verdict: result.verdict)
            },
            failures: failures)
        let encoder = JSONEncoder()
        // A ratio to a rate of zero is not a number.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinite", negativeInfinity: "-infinite", nan: "none")
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }

    private struct Document: Encodable {
        struct Figure: Encodable {
            let name: String
            let unit: String
            let values: [Double]
            let median: Double?
            let problem: String?
        }

        struct Target: Encodable {
            let what: String
            let median: Double?
            let low: Double?
            let high: Double?
            let wanted: String
            let verdict: String
        }

        let rounds: Int
        let seconds: Double
        let settings: [String: String]
        let processors: Int
        let figures: [Figure]
        let targets: [Target]
        let failures: [String]
    }
}

extension Spread {
    var range: String { "\(low.text)–\(high.text)" }
}

extension Target.Bound {
    var text: String {
        switch self {
        case .atLeast(let least): "≥ \(least)"
        case .atMost(let most): "≤ \(most)"
        }
    }
}
