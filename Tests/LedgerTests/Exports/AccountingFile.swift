import Foundation
import LedgerTestSupport
import Postgres

@testable import Ledger

/// An export in a file, for programs of Debian's that `./dev test` installs.
final class AccountingFile {
    private let url: URL

    var path: String { url.path }

    convenience init(_ export: Exported, _ ending: String) throws {
        try self.init(export.bytes, ending)
    }

    init(_ bytes: [UInt8], _ ending: String) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "ledgerd-\(UUID().uuidString).\(ending)")
        try Data(bytes).write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Adds lines at the end.
    func append(_ lines: [String]) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        try handle.close()
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Runs a program and returns all that it says.
    ///
    /// - Throws: ``Failure`` when it fails.
    func run(_ program: String, _ arguments: [String]) async throws -> String {
        let process = Process()
        let output = FileManager.default.temporaryDirectory.appending(path: "ledgerd-\(UUID().uuidString).out")
        defer { try? FileManager.default.removeItem(at: output) }
        try Data().write(to: output)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent"]
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        // Some run for a minute, in which others want the thread.
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        let text = try String(contentsOf: output, encoding: .utf8)
        guard process.terminationStatus == 0 else { throw Failure(description: "\(program): \(text.prefix(2000))") }
        return text
    }

    /// What hledger has on each account, by our names: `-30 COIN`, or `0`.
    ///
    /// Strictly: every account and commodity is declared, every entry balances.
    func hledgerBalances() async throws -> [String: String] {
        let output = try await run("hledger", ["-f", path, "balance", "--strict", "--flat", "-N", "-E", "-O", "csv"])
        let rows = CSVReader.records(of: Array(output.replacing("\n", with: "\r\n").utf8)).dropFirst()
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0].removingPercentEncoding ?? $0[0], $0[1]) })
    }

    /// What Beancount has on each account, by our names: `-30 COIN`.
    func beancountBalances() async throws -> [String: String] {
        let output = try await run(
            "bean-query", ["-f", "csv", path, "SELECT account, sum(number), currency GROUP BY account, currency"])
        var balances: [String: String] = [:]
        for line in output.split(whereSeparator: \.isNewline).dropFirst() {
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            balances[Self.beancountDecoded(fields[0])] = fields[1] + " " + fields[2]
        }
        return balances
    }

    /// Has Beancount read the journal and hold every account against ours.
    ///
    /// The balances are asserted in the file itself, for reading it takes Beancount as long as all else together.
    ///
    /// - Returns: what it complains about; nothing when all is well.
    func beancountComplaints(about balances: [BookBalance], on day: String) async throws -> String {
        let opened = try openedAccounts()
        try append(
            balances.map { ours in
                "\(day) balance \(opened[ours.name] ?? "Assets:Not-opened:U\(ours.name)") \(ours.balance) \(ours.currency)"
            })
        return try await run("bean-check", ["--no-cache", path])
    }

    /// Beancount's names of the accounts that the file opens, by ours, as it tells them.
    func openedAccounts() throws -> [String: String] {
        var opened: [String: String] = [:]
        var last = ""
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("1900-01-01 open ") { last = String(line.split(separator: " ")[2]) }
            if line.hasPrefix("  name: \"") { opened[String(line.dropFirst(9).dropLast())] = last }
        }
        return opened
    }

    /// `Liabilities:Wallet:Uann-20b:Paid` is `wallet:ann b:paid`; `Equity:Coins:Issued` is `coins:issued`.
    private static func beancountDecoded(_ account: String) -> String {
        account.split(separator: ":").dropFirst().map { part in
            guard part.hasPrefix("U") else { return part.prefix(1).lowercased() + part.dropFirst() }
            return part.dropFirst().replacing("-", with: "%").removingPercentEncoding ?? String(part)
        }.joined(separator: ":")
    }
}

/// What one of our accounts holds, its stripes added up.
struct BookBalance {
    let name: String
    let currency: String
    /// Debits less credits, as such programs count.
    let balance: Int64

    /// Every account that was posted to.
    static func all(of test: TestLedger) async throws -> [BookBalance] {
        let owner = try await test.connectAsOwner()
        let balances = try await owner.run(
            PostgresQuery(
                """
                SELECT CASE WHEN owner IS NULL OR code LIKE 'earnings:%' THEN regexp_replace(code, '/[0-9]+$', '')
                    ELSE code END, currency, sum(debits - credits)::bigint
                FROM account GROUP BY 1, 2 HAVING sum(seq) > 0
                """
            ) { row in BookBalance(name: try row[0], currency: try row[1], balance: try row[2]) })
        await owner.close()
        return balances
    }

    /// By name, as hledger writes them.
    static func written(_ balances: [BookBalance]) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: balances.map { ($0.name, $0.balance == 0 ? "0" : "\($0.balance) \($0.currency)") })
    }
}
