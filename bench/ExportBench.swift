import ArgumentParser
import Foundation
import LedgerTestSupport

/// The journal of a large ledger, exported by the binary, beside psql's `\copy` of the same rows.
struct ExportBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Rows per second, memory and time to the first row of exporting the journal.")

    @Option(help: "Postings to export; four are a purchase.")
    var postings = 1_000_000

    @Option(help: "Users that bought; a multiple of four.")
    var users = 100_000

    func run() async throws {
        try await TestLedger.withDatabase { test in
            print("export: filling a ledger with \(postings) postings of \(users) users")
            try await test.fill(entries: postings / 4, users: users)
            let psql = Psql(url: test.serviceURL)
            // Once unmeasured: the first to read pages in a new table also marks its rows as committed.
            try psql.run(Self.copy)
            let copied = try measure { try psql.run(Self.copy) }
            print("  psql \\copy, CSV: \(rate(copied))")
            for format in ["csv", "jsonl", "hledger", "beancount"] {
                let export = try Exporter(url: test.serviceURL, format: format)
                var peak = 0
                let taken = try measure { peak = try export.runToEnd() }
                print("  \(format): \(rate(taken)), \(ratio(copied, taken)) of \\copy, at most \(peak) MiB resident")
            }
            let first = try Exporter(url: test.serviceURL, format: "csv").timeToFirstRow()
            print("  first row after \(Int(first / .milliseconds(1))) ms, the start of the process included")
        }
    }

    /// What the export's columns come from, in whatever order and by whatever plan is fastest.
    private static let copy = """
        \\copy (SELECT entry.id, entry.kind, entry.reference, entry.reason, entry.effective_at, entry.recorded_at, \
        entry.reverses, account.code, posting.stripe, posting.seq, posting.currency, \
        CASE posting.side WHEN 'D' THEN posting.amount END AS debit, \
        CASE posting.side WHEN 'C' THEN posting.amount END AS credit, posting.balance, account.owner \
        FROM posting JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id \
        JOIN account ON account.id = posting.account_id) TO '/dev/null' CSV HEADER

        """

    private func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = ContinuousClock.now
        try body()
        return .now - start
    }

    private func rate(_ duration: Duration) -> String {
        "\(Int(Double(postings / 4 / users * users * 4) / (duration / .seconds(1)))) rows/s"
    }

    private func ratio(_ one: Duration, _ other: Duration) -> String {
        String(format: "%.2f", one / other)
    }
}

/// `ledgerd export journal` as a process.
private final class Exporter {
    private let process = Process()

    init(url: String, format: String) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "ledgerd")
        process.arguments = ["export", "journal", "--format", format, "--no-progress"]
        process.environment = ["LEDGERD_DATABASE_URL": url, "PATH": "/usr/bin:/bin"]
    }

    /// - Returns: the most memory that was resident, in MiB, as the kernel counts it.
    func runToEnd() throws -> Int {
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        var peak = 0
        while process.isRunning {
            peak = max(peak, Self.peakKilobytes(process.processIdentifier))
            Thread.sleep(forTimeInterval: 0.02)
        }
        guard process.terminationStatus == 0 else { throw ExitCode(process.terminationStatus) }
        return peak >> 10
    }

    /// How long until the first row behind the header is there.
    func timeToFirstRow() throws -> Duration {
        let output = Pipe()
        process.standardOutput = output
        let start = ContinuousClock.now
        try process.run()
        var text = Data()
        while text.split(separator: UInt8(ascii: "\n")).count < 3 {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        let taken = ContinuousClock.now - start
        process.terminate()
        process.waitUntilExit()
        return taken
    }

    private static func peakKilobytes(_ pid: Int32) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
    }
}
