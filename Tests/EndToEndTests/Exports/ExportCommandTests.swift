import Foundation
import TestSupport
import Testing

/// The same exports, typed.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ExportCommandTests {
    @Test func `the command writes what the service answers`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let environment = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            for (query, arguments) in [
                ("journal", ["journal"]), ("journal?format=beancount", ["journal", "--format", "beancount"]),
                (
                    "purchases?from=2020-01-01&tz=Asia/Seoul",
                    ["purchases", "--from", "2020-01-01", "--time-zone", "Asia/Seoul"]
                ),
                ("lots?as_of=2100-01-01", ["lots", "--as-of", "2100-01-01"]),
                ("trial-balance?detail=accounts", ["trial-balance", "--detail", "accounts"]),
                ("trial-balance?to=2100-01-01", ["trial-balance", "--to", "2100-01-01"]),
                ("liability?format=jsonl", ["liability", "--format", "jsonl"]),
            ] {
                let answer = try await service.get("/v1/exports/\(query)", as: Token.finance())
                let ended = try await house.start(["export"] + arguments, environment).ended()
                #expect(ended.exit == .code(0), "\(ended)")
                #expect(ended.output == answer.text, "\(query)")
                let trailer = try #require(answer.headers["Ledgerd-Export-Trailer"])
                #expect(ended.errors == (query.contains("format=") ? "" : "trailer \(trailer)\n"), "\(query)")
            }
        }
    }

    @Test func `an Excel file is whole or not there`() async throws {
        try await House.with { house in
            let folder = FileManager.default.temporaryDirectory.appending(path: "ledgerd-export-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "journal.xlsx").path
            let environment = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func export(
                _ more: String..., with variables: [String: String] = [:]
            ) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                let arguments = ["export", "journal", "--format", "xlsx", "--output", file] + more
                return try await house.start(arguments, environment.merging(variables) { $1 }).ended()
            }
            func files() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            }

            let refused = try await export(with: ["TMPDIR": folder.appending(path: "missing").path])
            #expect(refused.exit == .code(1) && refused.errors.contains("TMPDIR"), "\(refused)")
            #expect(try files() == [])
            let twice = try await export("--gzip")
            #expect(twice.exit == .code(64) && twice.errors.contains("--gzip"), "\(twice)")

            let made = try await export(with: ["TMPDIR": folder.path])
            #expect(made.exit == .code(0) && made.output.isEmpty && made.errors.isEmpty, "\(made)")
            let left = try files()
            #expect(left == ["journal.xlsx", "journal.xlsx.trailer.json"], "no temporary file is left")
            let bytes = try Data(contentsOf: URL(filePath: file))
            #expect(bytes.starts(with: Array("PK".utf8)))
        }
    }

    @Test func `a file appears only when it is complete`() async throws {
        try await House.with { house in
            let folder = FileManager.default.temporaryDirectory.appending(path: "ledgerd-export-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "journal.csv").path
            let environment = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func export(_ more: String...) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                try await house.start(["export", "journal", "--output", file] + more, environment).ended()
            }
            func files() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            }

            let first = try await export()
            #expect(first.exit == .code(0) && first.output.isEmpty && first.errors.isEmpty, "\(first)")
            #expect(try files() == ["journal.csv", "journal.csv.trailer.json"])
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let content = try String(contentsOfFile: file, encoding: .utf8)
            #expect(content.hasPrefix("entry,") && content.count { $0.isNewline } == 1)
            let trailer = try String(contentsOfFile: file + ".trailer.json", encoding: .utf8)
            #expect(trailer.hasPrefix(#"{"report":"journal","rows":0,"#) && trailer.hasSuffix("\"}\n"))

            let again = try await export()
            #expect(
                again.exit == .code(1) && again.errors.contains("exists") && again.errors.contains("--force"),
                "\(again)")
            let forced = try await export("--force", "--gzip", "--progress")
            #expect(forced.exit == .code(0) && forced.errors.contains("0 rows") && forced.errors.contains("SHA-256"))
            let bytes = try await Tool.run("gzip", ["-dc"], input: Array(try Data(contentsOf: URL(filePath: file))))
            #expect(String(decoding: bytes, as: UTF8.self) == content)

            try await house.books.execute("REVOKE SELECT ON journal_entry FROM ledgerd_service")
            let failed = try await export("--force")
            #expect(failed.exit == .code(1))
            StartTests.expectOneLine(failed.errors, ["role", "journal_entry"])
            #expect(
                try files() == ["journal.csv", "journal.csv.trailer.json"],
                "what was there stays, and nothing half-written lies about")
            #expect(try Data(contentsOf: URL(filePath: file)).starts(with: [0x1F, 0x8B]))
        }
    }

    @Test func `a wrong argument is refused by name`() async throws {
        try await House.with { house in
            for (arguments, words) in [
                (["everything"], "trial-balance"), ([], "report"),
                (["journal", "--from", "monday"], "--from must be an RFC 3339 time"),
                (["journal", "--time-zone", "Seoul"], "--time-zone (flag) must be"),
                (["lots", "--format", "hledger"], "--format must"),
                (["liability", "--from", "2026-01-01"], "--from does not apply"),
                (["lots", "--as-of", "never"], "--as-of must be"),
                (["journal", "--run", "1"], "--run does not apply"),
                (["reconciliation", "--run", "one"], "--run must be"),
            ] {
                let ended = try await house.start(["export"] + arguments).ended()
                #expect(ended.exit == .code(64) && ended.errors.contains(words), "\(arguments): \(ended)")
            }
            let nowhere = try await house.start(
                ["export", "journal"], ["LEDGERD_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/x"]
            ).ended()
            #expect(nowhere.exit == .code(1) && nowhere.output.isEmpty)
            StartTests.expectOneLine(nowhere.errors, ["database"])
        }
    }

    /// The recipe of docs/exports.md.
    @Test func `a shell can check the hash`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let environment = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let file = FileManager.default.temporaryDirectory.appending(path: "ledgerd-\(UUID().uuidString)").path
            defer {
                for path in [file, file + ".trailer.json"] { try? FileManager.default.removeItem(atPath: path) }
            }
            for (format, recipe) in [
                ("csv", #"sha256sum "$0" | cut -c 1-64; grep -o '[0-9a-f]\{64\}' "$0.trailer.json""#),
                ("jsonl", #"head -n -1 "$0" | sha256sum | cut -c 1-64; tail -n 1 "$0" | grep -o '[0-9a-f]\{64\}'"#),
                ("hledger", #"head -n -1 "$0" | sha256sum | cut -c 1-64; tail -n 1 "$0" | grep -o '[0-9a-f]\{64\}'"#),
            ] {
                let ended = try await house.start(
                    ["export", "journal", "--format", format, "--output", file, "--force"], environment
                ).ended()
                #expect(ended.exit == .code(0), "\(ended)")
                let output = try await Tool.run("sh", ["-c", recipe, file], input: [])
                let hashes = String(decoding: output, as: UTF8.self).split(separator: "\n")
                #expect(hashes.count == 2 && hashes.first == hashes.last, "\(format): \(hashes)")
            }
        }
    }
}

extension ChildProcess {
    /// How it ended, and what it said.
    fileprivate func ended() async throws -> (exit: Exit, output: String, errors: String) {
        (try await exit(), standardOutput, standardError)
    }
}
