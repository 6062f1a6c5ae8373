import CivilTime
import Ledger
import LedgerWire

extension Diagnosis {
    /// The diagnosis for a terminal: the deviations of each kind, and a summary.
    var text: String {
        (findings.map(\.text) + warnings.map { "warning: \($0.detail)" } + [lastSeal, summary]).joined(separator: "\n")
    }

    private var lastSeal: String {
        lastSealedAt.map { "last sealed at \(RFC3339.string(from: $0))" } ?? "never sealed: see `ledgerd seal --help`"
    }

    private var summary: String {
        let server = origin.server == .standby ? ", on the standby" : ""
        let checks = "\(results.count) checks at \(RFC3339.string(from: examinedAt))\(server)"
        guard !isSound else { return "sound: \(checks), no deviations" }
        let count = findings.reduce(0) { $0 + $1.count }
        return "not sound: \(checks), deviations: \(count), kinds of deviation: \(findings.count)"
    }
}

extension Diagnosis.Result {
    fileprivate var text: String {
        let named = deviations.map { "  \($0.subject): \($0.detail)" }
        let rest = count - Int64(deviations.count)
        return (["\(code) (\(count)); expected: \(proves)"] + named + (rest > 0 ? ["  and \(rest) more"] : []))
            .joined(separator: "\n")
    }
}
