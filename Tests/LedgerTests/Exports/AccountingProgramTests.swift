import Foundation
import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// The real hledger and Beancount must take our journal, and come to our balances.
@Suite struct AccountingProgramTests {
    @Test func `hledger comes to our balances, account by account`() async throws {
        try await Self.withHistory { ledger, balances in
            let file = try Self.write(try await ledger.export(.journal, [.format: "hledger"]), "journal")
            defer { try? FileManager.default.removeItem(at: file) }
            // Strict: every account and commodity is declared, every entry balances.
            _ = try Self.run("hledger", ["-f", file.path, "check", "--strict"])
            let output = try Self.run("hledger", ["-f", file.path, "balance", "--flat", "-N", "-E", "-O", "csv"])
            let rows = CSVReader.records(of: Array(output.replacing("\n", with: "\r\n").utf8)).dropFirst()
            let theirs = rows.map { row in (Self.percentDecoded(row[0]), row[1]) }
            let ours = balances.map { ($0.name, $0.balance == 0 ? "0" : "\($0.balance) \($0.currency)") }
            #expect(Dictionary(uniqueKeysWithValues: theirs) == Dictionary(uniqueKeysWithValues: ours))
            let types = try Self.run("hledger", ["-f", file.path, "balancesheet", "-N", "--flat"])
            #expect(types.contains("gateway:receivable") && types.contains("coins:deferred-revenue"))
        }
    }

    @Test func `Beancount comes to our balances, account by account`() async throws {
        try await Self.withHistory { ledger, balances in
            let file = try Self.write(try await ledger.export(.journal, [.format: "beancount"]), "beancount")
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try Self.run("bean-check", [file.path]) == "")
            let output = try Self.run(
                "bean-query",
                ["-f", "csv", file.path, "SELECT account, sum(number), currency GROUP BY account, currency"])
            var theirs: [String: String] = [:]
            for line in output.split(whereSeparator: \.isNewline).dropFirst() {
                let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                theirs[Self.beancountDecoded(fields[0])] = fields[1] + " " + fields[2]
            }
            let ours = balances.filter { $0.isUsed }.map { ($0.name, "\($0.balance) \($0.currency)") }
            #expect(theirs == Dictionary(uniqueKeysWithValues: ours))
        }
    }

    private struct Balance {
        let name: String
        let currency: String
        /// Debits less credits, as such programs count.
        let balance: Int64
        let isUsed: Bool
    }

    private static func withHistory(_ body: (Ledger, [Balance]) async throws -> Void) async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            var history = RandomHistory(seed: 11)
            for _ in 0..<25 { _ = await writer.post(history.batch()) }
            await writer.close()
            let ledger = try await test.open()
            try await ledger.postNasty()
            let placed = try #require(
                try await ledger.submit(.placeHold(.sample(by: Nasty.users[0], coins: 20))).placed)
            _ = try await ledger.submit(
                .captureHold(.sample(of: placed.hold.id, by: Nasty.users[0], provider: "a;b  /2")))
            let owner = try await test.connectAsOwner()
            let balances = try await owner.run(
                PostgresQuery(
                    """
                    SELECT CASE WHEN owner IS NULL OR code LIKE 'earnings:%' THEN regexp_replace(code, '/[0-9]+$', '')
                        ELSE code END, currency, sum(debits - credits)::bigint, sum(seq)::bigint
                    FROM account GROUP BY 1, 2 HAVING sum(seq) > 0
                    """
                ) { row in
                    Balance(
                        name: try row[0], currency: try row[1], balance: try row[2], isUsed: try row[3] as Int64 > 0)
                })
            await owner.close()
            #expect(balances.count > 100 && balances.contains { $0.name == "earnings:a;b  /2" })
            try await body(ledger, balances)
            await ledger.close()
        }
    }

    private static func write(_ export: Exported, _ ending: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "ledgerd-\(UUID().uuidString).\(ending)")
        try Data(export.bytes).write(to: file)
        return file
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    /// Runs a program of Debian's; `./dev test` installs them.
    private static func run(_ program: String, _ arguments: [String]) throws -> String {
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
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: output, encoding: .utf8)
        guard process.terminationStatus == 0 else { throw Failure(description: "\(program): \(text.prefix(2000))") }
        return text
    }

    private static func percentDecoded(_ name: String) -> String { name.removingPercentEncoding ?? name }

    /// `Liabilities:Wallet:Uann-20b:Paid` is `wallet:ann b:paid`; `Equity:Coins:Issued` is `coins:issued`.
    private static func beancountDecoded(_ account: String) -> String {
        account.split(separator: ":").dropFirst().map { part in
            guard part.hasPrefix("U") else { return part.prefix(1).lowercased() + part.dropFirst() }
            return part.dropFirst().replacing("-", with: "%").removingPercentEncoding ?? String(part)
        }.joined(separator: ":")
    }
}
