import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// A page of docs/ that shows what the real binary says, and the story's entries in a table.
struct WorkedPage {
    private let file: URL

    /// - Parameter name: of the page, such as `worked-month`.
    init(_ name: String) {
        file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/\(name).md")
    }

    private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    /// Expects the page's commands to say what it says; writes their words anew if it is asked to.
    func expectReal(in house: House, _ gateway: Gateway) async throws {
        let real = try await performed(in: house, gateway)
        if ProcessInfo.processInfo.environment["LEDGERD_UPDATE_DOCS"] == "1" {
            try real.write(to: file, atomically: true, encoding: .utf8)
        }
        let committed = try text
        #expect(committed.contains("$ ledgerd doctor"))
        let lines = zip(committed.split(separator: "\n"), real.split(separator: "\n"))
        #expect(
            committed == real,
            """
            \(file.lastPathComponent) is not what the commands say; first difference: \
            \(String(describing: lines.first { $0 != $1 })). LEDGERD_UPDATE_DOCS=1 ./dev test Worked writes their words \
            anew.
            """)
    }

    /// Expects the entries of the table to add up to the page's first trial balance, both in minor units.
    func expectSums() throws {
        let page = try text
        var listed: [String: Int] = [:]
        for row in page.matches(of: /\n\| [0-9]+ [^|]*\|.*/) {
            let cells = row.output.split(separator: "|", omittingEmptySubsequences: false).dropFirst(3)
            for (cell, sign) in zip(cells, [1, -1, 1, -1, 1, -1]) {
                for posting in cell.matches(of: /`([A-Za-z:-]+)` ([0-9,.]+)/) {
                    let amount = try #require(Int(posting.2.filter(\.isNumber)))
                    listed[Self.kind(posting.1), default: 0] += sign * amount
                }
            }
        }
        var reported: [String: Int] = [:]
        let balances = try #require(page.firstMatch(of: /account,currency,debit,credit,accounts\n([^`]*?)trailer/))
        for line in balances.1.split(separator: "\n") {
            let fields = line.split(separator: ",")
            reported[String(fields[0])] = try #require(Int(fields[2])) - #require(Int(fields[3]))
        }
        #expect(listed == reported)
    }

    /// An account's name without its owner, as the trial balance has it.
    private static func kind(_ account: Substring) -> String {
        let parts = account.split(separator: ":")
        switch parts[0] {
        case "wallet", "held": return "\(parts[0]):\(parts[2])"
        case "debt", "earnings", "payable": return String(parts[0])
        default: return String(account)
        }
    }

    /// The page with what its commands say now in place of what it says.
    ///
    /// A command is a line of a code block that begins with `$ `; what follows, up to the next or the block's end, is what
    /// it says.
    private func performed(in house: House, _ gateway: Gateway) async throws -> String {
        var lines: [Substring] = []
        var isOutput = false
        for line in try text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("$ ") {
                lines.append(line)
                lines += try await Self.said(by: String(line.dropFirst(2)), in: house, gateway)
                isOutput = true
            } else {
                if line.hasPrefix("```") { isOutput = false }
                if !isOutput { lines.append(line) }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// What a command says, line by line, with `…` for what is too long to be read: hashes, and the fields that fill a
    /// CSV's last line up.
    private static func said(by command: String, in house: House, _ gateway: Gateway) async throws -> [Substring] {
        let environment = house.settings(gateway: gateway.url).merging([
            "PATH": House.products.path + ":/usr/bin:/bin", "LANG": "C.UTF-8",
            "LEDGERD_SEAL_KEY": Data(repeating: 7, count: 32).base64EncodedString(),
        ]) { $1 }
        let shell = try ChildProcess(
            "/bin/sh", ["-c", "cd \(house.directory.path) && { \(command); } 2>&1"], environment: environment,
            in: house.directory)
        _ = try await shell.exit()
        // The tests' server does without fsync and full_page_writes, as nobody's else should.
        let text = shell.standardOutput.replacing("\r\n", with: "\n").replacing(/[0-9a-f]{64},*/, with: "…")
            .replacing(/warning: (?:fsync|full_page_writes) is off[^\n]*\n/, with: "")
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
}
