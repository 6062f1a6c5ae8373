import FoundationEssentials

/// The results of all checks of a configuration.
struct CheckReport: Sendable, Encodable {
    let checks: [CheckResult]
    let failed: Int
    let warnings: Int

    init(_ checks: [CheckResult]) {
        self.checks = checks
        failed = checks.count { $0.outcome == .failed }
        warnings = checks.count { $0.outcome == .warning }
    }

    /// One JSON object in one line.
    var json: String {
        get throws { String(decoding: try AnswerJSON.encode(self).readableBytesView, as: UTF8.self) }
    }

    /// A table with the advice below each finding, and a line that sums it up.
    func table(isColored: Bool = StandardOutput.isColored) -> String {
        let table = TextTable.text(
            [.text("CHECK"), .text("RESULT"), .text("FOUND")], checks.flatMap(\.rows), isColored: isColored)
        return [table, "", summary].joined(separator: "\n")
    }

    private var summary: String {
        guard failed + warnings > 0 else { return "ready: all \(checks.count) checks passed" }
        return "\(failed == 0 ? "ready" : "not ready"): \(failed) failed, \(warnings) with warnings, of \(checks.count)"
    }
}

extension CheckResult {
    /// A row for each line of the finding, and one for the advice.
    fileprivate var rows: [[TextTable.Cell]] {
        let found = detail.split(whereSeparator: \.isNewline).map { String($0.trimmingPrefix { $0.isWhitespace }) }
        let more = found.dropFirst() + (advice.map { ["→ \($0)"] } ?? [])
        return [[.init(check), .init(outcome.rawValue, outcome.color), .init(found.first ?? "")]]
            + more.map { ["", "", .init($0)] }
    }
}

extension CheckResult.Outcome {
    fileprivate var color: TextColor {
        switch self {
        case .ok: .green
        case .warning: .yellow
        case .failed: .red
        case .skipped: .dim
        }
    }
}
