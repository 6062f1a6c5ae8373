import Foundation
import Glibc
import Timing

/// The result of the last drill, for the textfile collector of Prometheus's node exporter: no process of ours runs between
/// two drills, and a drill may run on another machine.
struct DrillMetrics {
    /// The file, which the collector reads: its name ends in `.prom`.
    let path: String

    /// Writes the file anew.
    ///
    /// - Parameter report: nil: the drill could not be made.
    func write(_ report: DrillReport?, at now: Date = Time.current.now) throws {
        let holds = report?.holds ?? false
        var values: [(name: String, value: Int64)] = [("ledgerd_drill_success", holds ? 1 : 0)]
        if let success = holds ? Int64(now.timeIntervalSince1970) : lastSuccess {
            values.append((Self.lastSuccessName, success))
        }
        if let report {
            let duration = report.completedAt.timeIntervalSince(report.startedAt)
            values.append(("ledgerd_drill_duration_seconds", Int64(duration.rounded(.up))))
        }
        if let comparison = report?.comparison {
            let age = comparison.missing.since.map { now.timeIntervalSince($0) } ?? 0
            values.append(("ledgerd_drill_missing_seconds", Int64(max(0, age).rounded(.up))))
        }
        let text = values.map { name, value in
            "# HELP \(name) \(MetricDescriptions.all[name] ?? "")\n# TYPE \(name) gauge\n\(name) \(value)\n"
        }
        let file = try OutputFile(path, isForced: true)
        try file.write(Array(text.joined().utf8))
        try file.complete()
        // Nothing in it is secret, and the collector runs as another user.
        chmod(path, 0o644)
    }

    private static let lastSuccessName = "ledgerd_drill_last_success_timestamp_seconds"

    /// What an earlier drill has written: a failed one does not undo it.
    private var lastSuccess: Int64? {
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.lazy.filter { $0.hasPrefix(Self.lastSuccessName + " ") }
            .compactMap { Int64($0.dropFirst(Self.lastSuccessName.count + 1)) }.first
    }
}
