import ArgumentParser
import Foundation
import SoakHistory

/// Prints a run's figures and violations.
struct Report {
    let record: Record
    let tally: Tally
    let violations: [Violation]
    let checker: Checker

    init(_ record: Record) {
        self.record = record
        tally = Tally(record.history, faults: record.faults)
        checker = Checker(books: record.books, gateway: record.gateway)
        // Without books there is nothing to compare with, and the findings say why.
        guard !record.books.trialBalance.isEmpty else {
            violations = record.findings
            return
        }
        violations =
            record.findings + checker.violations(of: record.history)
            + tally.shortfalls(minutes: record.minutes, expectsFaults: record.isFaulty)
    }

    /// - Throws: `ExitCode(1)` if there are violations.
    func print() throws {
        show(figures)
        guard !violations.isEmpty else {
            show("nothing is violated")
            return
        }
        for (rule, found) in Dictionary(grouping: violations, by: \.rule).sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            show("\nVIOLATED, \(found.count) times: \(rule.rawValue)")
            for violation in found.prefix(5) { show("  \(violation)") }
            if let first = found.first(where: { $0.user != nil }) { show(smallestHistory(first)) }
        }
        show("\nrun it again with --seed \(record.seed) --minutes \(record.minutes)")
        throw ExitCode(1)
    }

    private var figures: String {
        let kinds = Act.Kind.allCases.map { "\($0.rawValue) \(tally.acknowledged[$0] ?? 0)" }.joined(separator: ", ")
        let reads = record.failoverReads
        var lines = [
            "acts acknowledged: \(tally.acts) (\(kinds))",
            "unknown: \(tally.unknown), refused: \(tally.refused), balance reads: \(tally.reads)",
            "journal entries: \(record.books.entries.count), payments at the gateway: \(record.gateway.count)",
            "faults: \(tally.faults.count), of which failovers: \(tally.failovers)",
            "reads while the database was failing: \(reads.answered) answered, \(reads.told) told to retry, "
                + "\(reads.late) late or not; slowest \(seconds(reads.slowest))",
        ]
        lines += reads.examples.map { "  late: \($0)" }
        let outages = Dictionary(grouping: zip(tally.faults, tally.outages), by: \.0.name)
        for (name, both) in outages.sorted(by: { $0.key < $1.key }) {
            let times = Percentiles(both.map(\.1))
            lines.append(
                "  \(name): \(both.count) times, \(both.count { $0.0.isFailover }) failovers; without a commit: median "
                    + "\(seconds(times.at(0.5))), p99 \(seconds(times.at(0.99))), worst \(seconds(times.at(1)))")
        }
        let all = Percentiles(tally.outages)
        lines.append(
            "time without a commit: median \(seconds(all.at(0.5))), p99 \(seconds(all.at(0.99))), "
                + "worst \(seconds(all.at(1)))")
        return lines.joined(separator: "\n")
    }

    private func smallestHistory(_ violation: Violation) -> String {
        let history = checker.smallestHistory(of: record.history, showing: violation)
        let attempts = history.attempts.map { attempt in
            "    \(milliseconds(attempt.begun, attempt.ended)) service \(attempt.service): \(attempt.act.kind.rawValue) "
                + "\(attempt.act.key) \(attempt.act.coins.map { "\($0) coins" } ?? ""): \(attempt.outcome)"
        }
        let reads = history.reads.map { read in
            "    \(milliseconds(read.begun, read.ended)) service \(read.service): read \(read.coins)"
        }
        let own = record.books.entries.filter { $0.user == violation.user }.sorted { $0.committedAt < $1.committedAt }
        let entries = own.suffix(40).map { entry in
            "    entry \(entry.id), transaction \(entry.transaction): \(entry.kind) of \(entry.reference), "
                + "\(entry.reason ?? "")"
        }
        return
            (["  the smallest history of \(violation.user ?? "") that shows it:"] + (attempts + reads).prefix(40)
            + ["  the user's journal:"] + entries).joined(separator: "\n")
    }

    private func milliseconds(_ begun: Moment, _ ended: Moment) -> String {
        "\(begun / 1_000_000)–\(ended / 1_000_000) ms"
    }

    private func seconds(_ nanoseconds: Int64?) -> String {
        nanoseconds.map { String(format: "%.1f s", Double($0) / 1e9) } ?? "-"
    }
}
