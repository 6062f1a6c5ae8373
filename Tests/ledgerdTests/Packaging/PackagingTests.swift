import Foundation
import Testing

@testable import LedgerServer

/// What is packaged agrees with the code.
@Suite(.timeLimit(.minutes(20))) struct PackagingTests {
    private func file(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    @Test func `the environment file has every setting, all of them commented out`() throws {
        let lines = EnvironmentFile.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("#") })
        let assignments = lines.compactMap { $0.wholeMatch(of: /#(LEDGERD_[A-Z0-9_]+)=(.*)/) }
        let keys = Settings.all
        #expect(
            assignments.map { String($0.1) }
                == keys.flatMap { $0.isSecret ? [$0.variable, $0.fileVariable] : [$0.variable] })
        for key in keys {
            #expect(lines.contains { $0 == "# \(key.summary)" } && lines.contains { $0 == "# Must be \(key.rule)." })
        }
        // systemd and shells end a value at a blank, so none may have one.
        #expect(!assignments.contains { $0.2.contains(/[\s'"$`\\]/) })
        // With every comment's sign removed, the settings are what they are without the file.
        var environment = Dictionary(uniqueKeysWithValues: assignments.map { (String($0.1), String($0.2)) })
        environment["LEDGERD_PORTONE_V2_WEBHOOK_SECRET"] = nil
        #expect(try SettingValues(environment: environment).changed.isEmpty)
    }

    @Test func `the units load what the service reads`() throws {
        let serve = try file("packaging/systemd/ledgerd.service")
        for line in [
            "Type=notify", "ExecStart=/usr/bin/ledgerd serve", "EnvironmentFile=/etc/ledgerd/ledgerd.env",
            "LoadCredential=ledgerd:/etc/ledgerd/credentials", "Environment=LEDGERD_LOG_FORMAT=journal",
        ] {
            #expect(serve.contains("\n\(line)\n"), "\(line)")
        }
        let migrate = try file("packaging/systemd/ledgerd-migrate.service")
        #expect(migrate.contains("\nLoadCredential=ledgerd_database_url:/etc/ledgerd/migrate/database_url\n"))
        #expect(migrate.contains("\nExecStart=/usr/bin/ledgerd migrate\n"))
        // What hardens one hardens the other.
        func hardening(_ unit: String) -> ArraySlice<Substring> {
            unit.split(separator: "\n").drop { $0 != "# Hardening" }.prefix { !$0.hasPrefix("[") }
        }
        #expect(hardening(serve).count > 20 && hardening(serve) == hardening(migrate))
    }
}
