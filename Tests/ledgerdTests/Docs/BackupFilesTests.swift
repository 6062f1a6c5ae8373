import Foundation
import Testing

@testable import LedgerServer

/// The files of ops/backup and docs/backup.md agree with each other and with the code.
///
/// `RestoreTests` use the files with pgBackRest.
@Suite(.timeLimit(.minutes(20))) struct BackupFilesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    @Test func `the page names each file, and the default restore command`() throws {
        let page = try text("docs/backup.md")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "ops/backup").path)
        #expect(files.count == 7)
        for file in files {
            let isNamed = page.contains(file) || file.wholeMatch(of: /ledgerd-.+\.(service|timer)/) != nil
            #expect(isNamed, "\(file)")
        }
        func words(_ text: String) -> String {
            text.replacing("\\\n", with: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(words(page).contains(words(ScratchCluster.Options.pgBackRest)))
    }

    @Test func `the unit of the drill gives options that there are`() throws {
        let unit = try text("ops/backup/ledgerd-drill.service").replacing("\\\n", with: " ")
        let command = try #require(unit.firstMatch(of: /\nExecStart=\/usr\/bin\/ledgerd drill (.+)\n/))
        let arguments = command.1.split(separator: " ").map(String.init)
        let drill = try DrillCommand.parse(arguments)
        #expect(drill.maxAge == "2d" && drill.metrics?.hasSuffix(".prom") == true)
    }

    @Test func `what is archived is encrypted, and goes where the backups go`() throws {
        let repository = try text("ops/backup/pgbackrest.conf")
        #expect(repository.contains("\nrepo1-cipher-type=aes-256-cbc\n") && repository.contains("\n[ledgerd]\n"))
        #expect(!repository.contains("\nrepo1-cipher-pass="), "a passphrase of the project would be everybody's")
        let server = try text("ops/backup/postgresql.conf")
        #expect(server.contains("\narchive_command = 'pgbackrest --stanza=ledgerd archive-push %p'\n"))
        #expect(server.contains("\narchive_mode = on\n") && server.contains("\narchive_timeout = 60s\n"))
    }
}
