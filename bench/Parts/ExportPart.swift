import Foundation
import LedgerTestSupport

/// The journal of a large ledger, exported by the binary, compared with psql's `\copy` of the same rows.
struct ExportPart: MeasuredPart {
    static let name = "export"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        try await TestLedger.withDatabase { books in
            try await books.fill(entries: scale.exported / 4, users: max(scale.customers, scale.exported / 10))
            try await Program.inDirectory { directory in
                // The first run is not measured: the first read of a new table also marks its rows as committed.
                try await Program.psql(Self.copy, at: books.serviceURL, in: directory)
                let start = ContinuousClock.now
                try await Program.psql(Self.copy, at: books.serviceURL, in: directory)
                report.record("export/psql \\copy, CSV", rate(since: start, scale), .perSecond)
                for format in ["csv", "jsonl", "hledger", "beancount"] {
                    let start = ContinuousClock.now
                    let peak = try Exporter(url: books.serviceURL, format: format).runToEnd()
                    report.record(
                        "export/\(format)", rate(since: start, scale), .perSecond,
                        note: "peak resident memory \(peak) MiB")
                }
                report.record(
                    "export/first row", try Exporter(url: books.serviceURL, format: "csv").timeToFirstRow(),
                    .milliseconds)
            }
        }
    }

    private func rate(since start: ContinuousClock.Instant, _ scale: Scale) -> Double {
        Double(scale.exported) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// The rows of the export, in any order and with the fastest plan.
    private static let copy = """
        \\copy (SELECT entry.id, entry.kind, entry.reference, entry.reason, entry.effective_at, entry.recorded_at, \
        entry.reverses, account.code, posting.stripe, posting.seq, posting.currency, \
        CASE posting.side WHEN 'D' THEN posting.amount END AS debit, \
        CASE posting.side WHEN 'C' THEN posting.amount END AS credit, posting.balance, account.owner \
        FROM posting JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id \
        JOIN account ON account.id = posting.account_id) TO '/dev/null' CSV HEADER

        """
}

/// `ledgerd export journal` as a process.
private final class Exporter {
    private let process = Process()

    init(url: String, format: String) {
        process.executableURL = URL(filePath: Program.ledgerd)
        process.arguments = ["export", "journal", "--format", format, "--no-progress"]
        process.environment = ["LEDGERD_DATABASE_URL": url, "PATH": "/usr/bin:/bin"]
    }

    /// - Returns: the peak of resident memory in MiB.
    func runToEnd() throws -> Int {
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        var peak = 0
        while process.isRunning {
            let status =
                (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
            peak = max(peak, status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0)
            Thread.sleep(forTimeInterval: 0.02)
        }
        guard process.terminationStatus == 0 else { throw Program.Failed(description: "an export failed") }
        return peak >> 10
    }

    /// Milliseconds from the start of the process to the first row after the header.
    func timeToFirstRow() throws -> Double {
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let start = ContinuousClock.now
        try process.run()
        var text = Data()
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        let taken = ContinuousClock.now - start
        process.terminate()
        process.waitUntilExit()
        return taken / .milliseconds(1)
    }
}
