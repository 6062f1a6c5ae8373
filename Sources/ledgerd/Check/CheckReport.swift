import FoundationEssentials

/// What all tests of a configuration came to.
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

    /// A table with aligned columns, what to do below what was found, and a line that sums it up.
    func table(isColored: Bool) -> String {
        let names = (checks.map(\.check) + ["CHECK"]).map(\.count).max() ?? 0
        let results = (checks.map(\.outcome.rawValue) + ["RESULT"]).map(\.count).max() ?? 0
        func row(_ name: String, _ result: String, _ text: String, color: String? = nil) -> String {
            let result = result.padded(to: results)
            let shown = color.map { "\u{1B}[\($0)m\(result)\u{1B}[0m" } ?? result
            return "\(name.padded(to: names))  \(shown)  \(text)"
        }
        var lines = [row("CHECK", "RESULT", "FOUND")]
        for check in checks {
            let color = isColored ? check.outcome.color : nil
            lines.append(row(check.check, check.outcome.rawValue, check.detail, color: color))
            if let advice = check.advice { lines.append(row("", "", "→ \(advice)")) }
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    private var summary: String {
        guard failed + warnings > 0 else { return "ready: all \(checks.count) checks passed" }
        return "\(failed == 0 ? "ready" : "not ready"): \(failed) failed, \(warnings) with warnings, of \(checks.count)"
    }
}

extension CheckResult.Outcome {
    /// The terminal's colour (ECMA-48, "Select Graphic Rendition").
    fileprivate var color: String {
        switch self {
        case .ok: "32"
        case .warning: "33"
        case .failed: "31"
        case .skipped: "2"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
